import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import ms, { type StringValue } from 'ms';
import { type Duration, type Instant, invalidRequest } from '#kernel';
import {
  CheckSignature,
  ChooseEventTypes,
  chosenTypes,
  DisableEndpoint,
  EnableEndpoint,
  GetDelivery,
  ListDisabledSpans,
  ListEndpoints,
  publicAttempt,
  publicDisabledSpan,
  publicEndpoint,
  publicHealth,
  RegisterEndpoint,
  ReplayDelivery,
  RequestReplay,
  RotateSecret,
  ShowEndpoints,
  TestEndpoint,
} from '#webhooks';
import { asInstant, asPath, deliveryOf, endpointOf, type OfAgency, withAgency } from './arguments.js';
import { readGivenFile, readTextFile } from './files.js';
import { type Operator, operatorContext } from './operator.js';
import type { Register } from './register.js';
import { deliveryCommands, replayCommands } from './webhook-deliveries.js';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table, one entry for each command
export const addCommands = (webhooks: Command, register: Register): void => {
  const ofAgency = (words: string, description: string) => withAgency(webhooks.command(words).description(description));

  register.revealing(
    withAgency(webhooks.command('register'))
      .description('register an endpoint; its signing secret is shown only once')
      .requiredOption('--url <url>', 'a public https URL on port 443')
      .option('--types <types>', 'the event types that it receives, separated by commas; default: all'),
    async ({ commands }, { agency, url, types }: OfAgency & { url: string; types?: string }) => {
      const chosen = chosenTypes(types?.split(','));
      const command = new RegisterEndpoint(agency, url, operatorContext(), chosen);
      const { endpoint, secret } = await commands.execute(command);
      return { id: endpoint.endpointId, url: endpoint.url, secret, created_at: endpoint.registeredAt };
    },
    (id) => `webhooks rotate ${id}`,
  );
  register(ofAgency('list', "list an agency's endpoints"), listEndpoints);
  register(
    webhooks
      .command('types <whe_id>')
      .description('set the event types that an endpoint receives, for events that are published from now on')
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
      .description('replace the signing secret; the new one is shown only once')
      .option('--overlap <duration>', 'how long the old one signs too, such as 24h'),
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
    webhooks.command('enable <whe_id>').description('enable a disabled endpoint; it keeps its id, URL and secret'),
    async ({ commands }, _options, id) => {
      const command = new EnableEndpoint(endpointOf(id), operatorContext());
      const { endpointId, url, status } = await commands.execute(command);
      return { id: endpointId, url, status };
    },
  );
  register(
    webhooks.command('replay <whd_id>').description('replay a delivery, with up to five new attempts'),
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
      .description('replay every delivery that has failed permanently')
      .requiredOption('--since <time>', 'ISO 8601, or epoch milliseconds', asInstant),
    recover,
  );
  deliveryCommands(webhooks, register);
  replayCommands(webhooks, register);
  register(ofAgency('health', 'show success rate and latency of the endpoints in the last 7 days'), healthOf);
  register(ofAgency('attempts <whd_id>', 'show the attempts of a delivery, oldest first'), attemptsOf);
  register(ofAgency('missed', 'show when endpoints were disabled, and how many events they did not get'), missedOf);
  register(
    webhooks
      .command('check-signature <whe_id>')
      .description("explain why an endpoint's receiver may have refused a request")
      .requiredOption('--headers <file>', 'a file with its headers, one per line', asPath)
      .requiredOption('--body <file>', 'a file with the bytes of its body', asPath),
    checkSignature,
  );
};

const listEndpoints = async ({ queries, runners }: Operator, { agency }: OfAgency) => {
  const endpoints = await runners.withReadModels(() => queries.execute(new ListEndpoints(agency)));
  return endpoints.map(publicEndpoint);
};

/** The worker sends it. Without a worker it stays pending. */
const testEndpoint = async ({ commands }: Operator, _options: object, id: string) => {
  const endpointId = endpointOf(id);
  const { result } = await commands.execute(new TestEndpoint(endpointId, operatorContext()));
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

const healthOf = async ({ queries, runners }: Operator, { agency }: OfAgency) => {
  const shown = async () => queries.execute(new ShowEndpoints(await queries.execute(new ListEndpoints(agency))));
  const endpoints = await runners.withAllReadModels(shown);
  return endpoints.map((endpoint) => {
    const { id, url, status } = endpoint;
    return { id, url, status, ...publicHealth(endpoint) };
  });
};

const missedOf = async ({ queries, runners }: Operator, { agency }: OfAgency) => {
  const spans = await runners.withAllReadModels(() => queries.execute(new ListDisabledSpans(agency)));
  return spans.map(publicDisabledSpan);
};

const attemptsOf = async ({ queries }: Operator, { agency }: OfAgency, id: string) => {
  const { attempts } = await queries.execute(new GetDelivery(agency, deliveryOf(id)));
  return attempts.map(publicAttempt);
};

const checkSignature = async (
  { queries }: Operator,
  { headers, body }: { readonly headers: string; readonly body: string },
  id: string,
) => {
  const named = readTextFile(headers)
    .split(/\r?\n/)
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    });
  const sha256 = createHash('sha256').update(readGivenFile(body)).digest('hex');
  const { verdict, age } = await queries.execute(new CheckSignature(endpointOf(id), new Map(named), sha256));
  return { verdict, age_ms: age };
};

const overlapOf = (text: string | undefined): Duration => {
  if (text === undefined) return 0;
  if (/^\d+(?:s|m|h|d)$/.test(text)) return ms(text as StringValue);
  throw invalidRequest({ field: 'overlap', message: 'must be a duration such as 24h' });
};
