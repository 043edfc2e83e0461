import type { Command } from 'commander';
import { DomainError, type EventLog, type RecordedEvent } from '#kernel';
import { SEALS, type Seal, type Sealed } from '#tamper-evidence';
import { Text, type Told } from './print.js';
import type { Register } from './program.js';

const PAGE = 100;

export const sealsCommand = (events: Command, register: Register): void =>
  register(
    events.command('seals').description('list the seals of the log, from the first on'),
    () =>
      async ({ log }) =>
        told(log),
  );

export const sealCommand = (events: Command, register: Register): void =>
  register(
    events
      .command('seal')
      .description('print the newest seal, to be kept elsewhere')
      .option('--now', 'seal all that the log holds first'),
    ({ now }: { readonly now?: true }) =>
      async ({ log, sealing, clock }) => {
        if (now) await sealing.sealAll(clock.now());
        const [last] = (await log.readStream(SEALS, { direction: 'backwards', limit: 1 })) as RecordedEvent<Sealed>[];
        if (last === undefined) throw new DomainError('not_found');
        const { statement, signature } = last.data;
        const seal: Seal = { statement, signature };
        return new Text(JSON.stringify(seal, undefined, 2), seal);
      },
  );

async function* told(log: EventLog): AsyncGenerator<Told> {
  for (let from = 0; ; ) {
    const page = (await log.readStream(SEALS, { from, limit: PAGE })) as RecordedEvent<Sealed>[];
    for (const { id, revision, data } of page) {
      const { count, through, root, at } = data.statement;
      const value = { id, at, events: count, through: through.id, root };
      const time = new Date(at).toISOString();
      yield new Text(`${time}  ${id}\n  ${count} events through ${through.id}\n  root ${root}`, value);
      from = revision + 1;
    }
    if (page.length < PAGE) return;
  }
}
