import { createHash } from 'node:crypto';
import type { Command } from 'commander';
import { agencyId } from '#kernel';
import {
  CheckSignature,
  GetDelivery,
  ListDisabledSpans,
  publicAttempt,
  publicDisabledSpan,
  publicHealth,
  ShowEndpoints,
} from '#webhooks';
import { readGivenFile } from './given-file.js';
import { deliveryOf } from './id-argument.js';
import type { Operator } from './operator.js';
import type { Register } from './register.js';

interface OfAgency {
  readonly agency: string;
}

interface CheckOptions extends OfAgency {
  readonly headers: string;
  readonly body: string;
}

/** What the dashboard shows of endpoints and deliveries to find out why one fails. */
export const healthCommands = (webhooks: Command, register: Register): void => {
  const withAgency = (words: string, description: string) =>
    webhooks.command(words).description(description).requiredOption('--agency <id>', "the platform's agency id");

  register(
    withAgency('health', 'show how the endpoints have answered in the last 7 days'),
    ({ agency }: OfAgency) =>
      (operator) =>
        healthOf(operator, agency),
  );
  register(
    withAgency('attempts <whd_id>', 'show the attempts of a delivery, the oldest first'),
    ({ agency }: OfAgency, id) =>
      (operator) =>
        attemptsOf(operator, agency, id),
  );
  register(
    withAgency('missed', 'show when endpoints were disabled, and how many events they did not get'),
    ({ agency }: OfAgency) =>
      (operator) =>
        missedOf(operator, agency),
  );
  register(
    withAgency('check-signature', 'say why a receiver may have refused a request')
      .requiredOption('--headers <file>', 'its headers, one in a line')
      .requiredOption('--body <file>', 'the bytes of its body'),
    (options: CheckOptions) => (operator) => checkSignature(operator, options),
  );
};

const healthOf = async ({ queries, runners }: Operator, agency: string) => {
  const query = new ShowEndpoints(agencyId(agency));
  const endpoints = await runners.withAllReadModels(() => queries.execute(query));
  return endpoints.map((endpoint) => {
    const { id, url, status } = endpoint;
    return { id, url, status, ...publicHealth(endpoint) };
  });
};

const missedOf = async ({ queries, runners }: Operator, agency: string) => {
  const query = new ListDisabledSpans(agencyId(agency));
  const spans = await runners.withAllReadModels(() => queries.execute(query));
  return spans.map(publicDisabledSpan);
};

const attemptsOf = async ({ queries }: Operator, agency: string, id: string | undefined) => {
  const { attempts } = await queries.execute(new GetDelivery(agencyId(agency), deliveryOf(id)));
  return attempts.map(publicAttempt);
};

const checkSignature = async ({ queries, runners }: Operator, { agency, headers, body }: CheckOptions) => {
  const named = readGivenFile(headers)
    .toString()
    .split(/\r?\n/)
    .flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    });
  const sha256 = createHash('sha256').update(readGivenFile(body)).digest('hex');
  const query = new CheckSignature(agencyId(agency), new Map(named), sha256);
  const { verdict, age } = await runners.withReadModels(() => queries.execute(query));
  return { verdict, age_ms: age };
};
