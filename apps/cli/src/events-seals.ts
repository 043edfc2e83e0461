import type { Command } from 'commander';
import { DomainError, type EventLog, type RecordedEvent } from '#kernel';
import { endOfSeals, SEALED, SEALS, type Seal, type Sealed } from '#tamper-evidence';
import { type Printable, Text } from './print.js';
import type { Register } from './register.js';

const PAGE = 100;

export const sealsCommand = (events: Command, register: Register): void =>
  register.reading(
    events.command('seals').description('list the seals of the log, from the first on'),
    () =>
      async ({ log }) =>
        told(log),
  );

export const sealCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('seal')
      .description('print the newest seal, to be kept elsewhere')
      .option('--now', 'seal all that the log holds first'),
    ({ now }: { readonly now?: true }) =>
      async ({ log, sealing, clock }) => {
        if (now) await sealing.sealAll(clock.now());
        const { lastSeal: last } = await endOfSeals(log);
        if (last === undefined) throw new DomainError('not_found');
        const { statement, signature } = last.data;
        const seal: Seal = { statement, signature };
        return new Text(JSON.stringify(seal, undefined, 2), seal);
      },
    ({ now }: { readonly now?: true }) => now === true,
  );

async function* told(log: EventLog): AsyncGenerator<Printable> {
  for (let from = 0; ; ) {
    const page = (await log.readStream(SEALS, { from, limit: PAGE })) as RecordedEvent<Sealed>[];
    for (const { id, revision, type, data } of page) {
      from = revision + 1;
      if (type !== SEALED) continue;
      const { count, through, root, at } = data.statement;
      const value = { id, at, events: count, through: through.id, root };
      const time = new Date(at).toISOString();
      yield new Text(`${time}  ${id}\n  ${count} events through ${through.id}\n  root ${root}`, value);
    }
    if (page.length < PAGE) return;
  }
}
