import type { Command } from 'commander';
import { invalidRequest } from '#kernel';
import { type Fault, parseSeal, type RememberedSeal, type Seal, type Verification, verifyLog } from '#tamper-evidence';
import { asPath } from './arguments.js';
import { readJsonFile } from './given-file.js';
import { FailedCheck, Text } from './print.js';
import type { Register } from './register.js';
import { type StoredLogOptions, storedLogOptions, withStoredLog } from './stores/stored-log.js';

interface VerifyOptions extends StoredLogOptions {
  readonly seal?: string;
}

export const verifyCommand = (events: Command, register: Register): void =>
  register.apart(
    storedLogOptions(
      events
        .command('verify')
        .description('verify the log, and name each event that is not as it was written')
        .option(
          '--seal <file>',
          'a seal that was stored outside the log; it shows whether the end was cut off',
          asPath,
        ),
    ),
    async (environment, { seal, ...options }: VerifyOptions) => {
      const kept = seal === undefined ? undefined : asSeal(seal);
      return withStoredLog(environment, options, async (log, { key, trusted }, remembered) =>
        shown(await verifyLog(log, key, { kept, remembered, trusted }), remembered),
      );
    },
  );

const asSeal = (file: string): Seal => {
  const seal = parseSeal(readJsonFile(file));
  if (seal === undefined)
    throw invalidRequest({ field: 'seal', message: 'must be a file with what `events seal` prints' });
  return seal;
};

const shown = (
  { events, last, root, seals, sealedEvents, acceptedLosses, faults, faultCount }: Verification,
  remembered: RememberedSeal | undefined,
): Text => {
  const value = {
    intact: faultCount === 0,
    events,
    last_event: last && { id: last.id, stream: last.stream, revision: last.revision },
    root,
    seals,
    sealed_events: sealedEvents,
    remembered_seal: remembered === undefined ? null : { id: remembered.id, events: remembered.count },
    accepted_losses: acceptedLosses,
    fault_count: faultCount,
    fault: faults[0] ?? null,
    faults,
  };
  const words = [
    `events      ${events}, through ${last === null ? 'none' : `${last.id} (${last.stream}, revision ${last.revision})`}`,
    `root        ${root}`,
    `seals       ${seals}, good for the first ${sealedEvents} events`,
    `remembered  ${remembered === undefined ? 'no seal' : `the seal ${remembered.id} over ${remembered.count} events`}`,
    ...acceptedLosses.map((id) => `accepted    a loss of seals, by event ${id}`),
    faultCount === 0 ? 'intact      yes' : `intact      no: ${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}`,
    ...faults.map(lineOf),
  ].join('\n');
  return faultCount === 0 ? new Text(words, value) : new FailedCheck(words, value);
};

const lineOf = ({ kind, number, id, stream, revision, message }: Fault): string => {
  if (kind === 'foreign_schema') return `  schema  ${message}`;
  const name = [id, stream, revision === null ? undefined : `revision ${revision}`].filter(Boolean).join(', ');
  return `  event ${number}  ${kind.replaceAll('_', ' ')}: ${name}${name && '; '}${message}`;
};
