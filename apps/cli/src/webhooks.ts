import type { Command } from 'commander';
import ms, { type StringValue } from 'ms';
import { type Duration, type Instant, invalidRequest } from '#kernel';
import {
  AwaitTestResult,
  ChooseEventTypes,
  chosenTypes,
  DisableEndpoint,
  EnableEndpoint,
  ListEndpoints,
  publicEndpoint,
  RegisterEndpoint,
  ReplayDelivery,
  RequestReplay,
  RequestTest,
  RotateSecret,
} from '#webhooks';
import { asInstant, deliveryOf, endpointOf, type OfAgency, withAgency } from './arguments.js';
import type { Operator } from './operator.js';
import { operatorContext } from './operator-context.js';
import type { Register } from './register.js';
import { deliveryCommands } from './webhook-deliveries.js';
import { healthCommands } from './webhook-health.js';
import { replayCommands } from './webhook-replays.js';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, one entry for each command
export const addCommands = (webhooks: Command, register: Register): void => {
  register.revealing(
    withAgency(webhooks.command('register'))
      .description('register an endpoint; its signing secret is shown only now')
      .requiredOption('--url <url>', 'a public https URL on port 443')
      .option('--types <types>', 'the event types that it takes, with commas between; default: all'),
    async ({ commands }, { agency, url, types }: OfAgency & { url: string; types?: string }) => {
      const chosen = chosenTypes(types?.split(','));
      const command = new RegisterEndpoint(agency, url, operatorContext(), chosen);
      const { endpoint, secret } = await commands.execute(command);
      return { id: endpoint.endpointId, url: endpoint.url, secret, created_at: endpoint.registeredAt };
    },
    (id) => `webhooks rotate ${id}`,
  );
  register(withAgency(webhooks.command('list').description("list an agency's endpoints")), listEndpoints);
  register(
    webhooks
      .command('types <whe_id>')
      .description('choose the event types that an endpoint takes, for events that are published from now on')
      .option('--types <types>', 'with commas between; default: all'),
    async ({ commands }, { types }: { types?: string }, id) => {
      const command = new ChooseEventTypes(endpointOf(id), chosenTypes(types?.split(',')), operatorContext());
      const endpoint = await commands.execute(command);
      return { id: endpoint.endpointId, types: endpoint.types };
    },
  );
  register.revealing(
    webhooks
      .command('rotate <whe_id>')
      .description('replace the signing secret; the new one is shown only now')
      .option('--overlap <duration>', 'how long the old one also signs, such as 24h'),
    async ({ commands }, { overlap }: { overlap?: string }, id) => {
      const endpointId = endpointOf(id);
      const { secret } = await commands.execute(new RotateSecret(endpointId, overlapOf(overlap), operatorContext()));
      return { id: endpointId, secret };
    },
    (id) => `webhooks rotate ${id}`,
  );
  register(
    webhooks.command('disable <whe_id>').description('stop deliveries to an endpoint'),
    async ({ commands }, _options, id) => {
      const { endpointId, status } = await commands.execute(new DisableEndpoint(endpointOf(id), operatorContext()));
      return { id: endpointId, status };
    },
  );
  register(
    webhooks.command('enable <whe_id>').description('send to a disabled endpoint again; it keeps id, URL and secret'),
    async ({ commands }, _options, id) => {
      const command = new EnableEndpoint(endpointOf(id), operatorContext());
      const { endpointId, url, status } = await commands.execute(command);
      return { id: endpointId, url, status };
    },
  );
  register(
    webhooks.command('replay <whd_id>').description('deliver again, with up to five new attempts'),
    async ({ commands }, _options, id) => {
      const deliveryId = deliveryOf(id);
      const { status } = await commands.execute(new ReplayDelivery(deliveryId, operatorContext()));
      return { id: deliveryId, status };
    },
  );
  register(webhooks.command('test <whe_id>').description('send a signed ping, and show the result'), testEndpoint);
  register(
    webhooks
      .command('recover <whe_id>')
      .description('deliver again everything that has failed for good')
      .requiredOption('--since <time>', 'ISO 8601, or epoch milliseconds', asInstant),
    recover,
  );
  deliveryCommands(webhooks, register);
  replayCommands(webhooks, register);
  healthCommands(webhooks, register);
};

const listEndpoints = async ({ queries, runners }: Operator, { agency }: OfAgency) => {
  const endpoints = await runners.withReadModels(() => queries.execute(new ListEndpoints(agency)));
  return endpoints.map(publicEndpoint);
};

/** The worker sends it. Without a worker it stays pending. */
const testEndpoint = async ({ commands, queries }: Operator, _options: object, id: string) => {
  const endpointId = endpointOf(id);
  const asked = await commands.execute(new RequestTest(endpointId, operatorContext()));
  const { result } = await queries.execute(new AwaitTestResult(endpointId, asked.test?.testId ?? ''));
  return {
    id: endpointId,
    status: result === null ? 'pending' : result.error === null ? 'delivered' : 'failed',
    last_status: result?.status ?? null,
    last_error: result?.error ?? null,
  };
};

const recover = async ({ commands, runners }: Operator, { since }: { readonly since: Instant }, id: string) => {
  const endpointId = endpointOf(id);
  const command = new RequestReplay(endpointId, { failedSince: since }, operatorContext());
  const { total } = await runners.withReadModels(() => commands.execute(command));
  return { id: endpointId, replayed: total.count };
};

const overlapOf = (text: string | undefined): Duration => {
  if (text === undefined) return 0;
  if (/^\d+(?:s|m|h|d)$/.test(text)) return ms(text as StringValue);
  throw invalidRequest({ field: 'overlap', message: 'must be a duration such as 24h' });
};
