import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readConfig } from '#configuration';
import { invalidRequest } from '#kernel';
import { openStoredLog } from '#stores';
import { type Fault, parseSeal, type Seal, type Verification, verifyLog } from '#tamper-evidence';
import { FailedCheck, Text } from './print.js';
import { publicKeyFor } from './public-key-option.js';
import type { Register } from './register.js';

interface VerifyOptions {
  readonly publicKey?: string;
  readonly seal?: string;
  readonly log?: string;
}

export const verifyCommand = (events: Command, register: Register): void =>
  register.apart(
    events
      .command('verify')
      .description('walk the log, and name the first event that is not as it was written')
      .option('--public-key <file or key>', "the key of the seals; else this installation's own")
      .option('--seal <file>', 'a seal that was kept elsewhere: tells whether the end was cut off')
      .option('--log <file, folder or URL>', 'a copy of the log, or an EventStoreDB; else the configured log'),
    ({ publicKey, seal, log: location }: VerifyOptions) =>
      async (environment) => {
        const config = readConfig(environment);
        const { key, trusted } = publicKeyFor(config, publicKey, location);
        const kept = seal === undefined ? undefined : asSeal(seal);
        const log = await openStoredLog(config, location);
        try {
          const verification = await verifyLog(log, key, { kept, trusted });
          const [words, value] = [inWords(verification), asJson(verification)];
          return verification.faultCount === 0 ? new Text(words, value) : new FailedCheck(words, value);
        } finally {
          await log.close();
        }
      },
  );

const asSeal = (file: string): Seal => {
  const seal = parseSeal(jsonIn(file));
  if (seal === undefined)
    throw invalidRequest({ field: 'seal', message: 'must be a file with what `events seal` prints' });
  return seal;
};

const jsonIn = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

const asJson = ({ events, last, root, seals, sealedEvents, faults, faultCount }: Verification) => ({
  intact: faultCount === 0,
  events,
  last_event: last && { id: last.id, stream: last.stream, revision: last.revision },
  root,
  seals,
  sealed_events: sealedEvents,
  fault_count: faultCount,
  fault: faults[0] ?? null,
  faults,
});

const inWords = ({ events, last, root, seals, sealedEvents, faults, faultCount }: Verification): string =>
  [
    `events      ${events}, through ${last === null ? 'none' : `${last.id} (${last.stream}, revision ${last.revision})`}`,
    `root        ${root}`,
    `seals       ${seals}, good for the first ${sealedEvents} events`,
    faultCount === 0 ? 'intact      yes' : `intact      no: ${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}`,
    ...faults.map(lineOf),
  ].join('\n');

const lineOf = ({ kind, number, id, stream, revision, message }: Fault): string => {
  if (kind === 'foreign_schema') return `  schema  ${message}`;
  const name = [id, stream, revision === null ? undefined : `revision ${revision}`].filter(Boolean).join(', ');
  return `  event ${number}  ${kind.replace('_', ' ')}: ${name}${name && '; '}${message}`;
};
