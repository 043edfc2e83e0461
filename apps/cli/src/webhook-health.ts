import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import {
  CheckSignature,
  GetDelivery,
  ListDisabledSpans,
  ListEndpoints,
  publicAttempt,
  publicDisabledSpan,
  publicHealth,
  ShowEndpoints,
} from '#webhooks';
import { asPath, deliveryOf, endpointOf, type OfAgency, withAgency } from './arguments.js';
import { readGivenFile, readTextFile } from './given-file.js';
import type { Operator } from './operator.js';
import type { Register } from './register.js';

interface CheckOptions {
  readonly headers: string;
  readonly body: string;
}

/** What the dashboard shows of endpoints and deliveries to find out why one fails. */
export const healthCommands = (webhooks: Command, register: Register): void => {
  const ofAgency = (words: string, description: string) => withAgency(webhooks.command(words).description(description));

  register(ofAgency('health', 'show how the endpoints have answered in the last 7 days'), healthOf);
  register(ofAgency('attempts <whd_id>', 'show the attempts of a delivery, the oldest first'), attemptsOf);
  register(ofAgency('missed', 'show when endpoints were disabled, and how many events they did not get'), missedOf);
  register(
    webhooks
      .command('check-signature <whe_id>')
      .description('say why the receiver of an endpoint may have refused a request')
      .requiredOption('--headers <file>', 'its headers, one in a line', asPath)
      .requiredOption('--body <file>', 'the bytes of its body', asPath),
    checkSignature,
  );
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

const checkSignature = async ({ queries }: Operator, { headers, body }: CheckOptions, id: string) => {
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
