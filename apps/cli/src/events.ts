import type { Command } from 'commander';
import { GetNewestSeal, ListSeals, SealLog } from '#audit';
import type { RecordedEvent } from '#kernel';
import {
  type Fault,
  type RememberedSeal,
  type Seal,
  type Sealed,
  type Verification,
  verifyLog,
} from '#tamper-evidence';
import { asPath } from './arguments.js';
import { historyCommand, stateCommand } from './events-history.js';
import { asSeal, proofCommands } from './events-prove.js';
import { type Operator, operatorContext } from './operator.js';
import { FailedCheck, type Printable, Text } from './print.js';
import type { Register } from './register.js';
import { ownPublicKey, type StoredLogOptions, storedLogOptions, withStoredLog } from './stores/opened-stores.js';

interface SealOptions {
  readonly now?: true;
  readonly acceptLoss?: true;
}

export const addCommands = (events: Command, register: Register): void => {
  historyCommand(events, register);
  stateCommand(events, register);
  proofCommands(events, register);
  register.apart(
    storedLogOptions(
      events
        .command('verify')
        .description('verify the log, and name each event that differs from what was written')
        .option(
          '--seal <file>',
          'a seal that was stored outside the log; it shows whether the end was cut off',
          asPath,
        ),
    ),
    async (environment, { seal, ...options }: StoredLogOptions & { readonly seal?: string }) => {
      const kept = seal === undefined ? undefined : asSeal(seal);
      return withStoredLog(environment, options, async (log, { key, trusted }, remembered) =>
        shown(await verifyLog(log, key, { kept, remembered, trusted }), remembered),
      );
    },
  );
  register.reading(
    events.command('seals').description('list the seals of the log, oldest first'),
    async ({ queries }) => printable(await queries.execute(new ListSeals())),
  );
  register.reading(
    events
      .command('seal')
      .description('print the newest seal, to be stored outside the log')
      .option('--now', 'first seal the whole log')
      .option('--accept-loss', 'the same for a log that lacks seals; records who accepts that'),
    async (operator, options: SealOptions) => {
      const seal = await sealOf(options, operator);
      return new Text(JSON.stringify(seal, undefined, 2), seal);
    },
    ({ now, acceptLoss }: SealOptions) => now === true || acceptLoss === true,
  );
  register.apart(
    events.command('public-key').description('show the key that verifies the seals of the log'),
    async (environment) => {
      const { text, id, pem } = ownPublicKey(environment);
      return new Text(pem, { algorithm: 'Ed25519', id, public_key: text, pem });
    },
  );
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

const sealOf = ({ now, acceptLoss }: SealOptions, { commands, queries }: Operator): Promise<Seal> => {
  if (acceptLoss) return commands.execute(new SealLog(operatorContext().actor));
  return now ? commands.execute(new SealLog()) : queries.execute(new GetNewestSeal());
};

async function* printable(seals: AsyncIterable<RecordedEvent<Sealed>>): AsyncGenerator<Printable> {
  for await (const { id, data } of seals) {
    const { count, through, root, at } = data.statement;
    const value = { id, at, events: count, through: through.id, root };
    const time = new Date(at).toISOString();
    yield new Text(`${time}  ${id}\n  ${count} events through ${through.id}\n  root ${root}`, value);
  }
}
