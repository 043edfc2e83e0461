import type { Command } from 'commander';
import { GetNewestSeal, ListSeals, SealLog } from '#audit';
import type { RecordedEvent } from '#kernel';
import type { Sealed } from '#tamper-evidence';
import { type Printable, Text } from './print.js';
import type { Register } from './register.js';

export const sealsCommand = (events: Command, register: Register): void =>
  register.reading(
    events.command('seals').description('list the seals of the log, the first one first'),
    () =>
      async ({ queries }) =>
        printable(await queries.execute(new ListSeals())),
  );

export const sealCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('seal')
      .description('print the newest seal, to be stored outside the log')
      .option('--now', 'seal all that the log holds first'),
    ({ now }: { readonly now?: true }) =>
      async ({ commands, queries }) => {
        const seal = now ? await commands.execute(new SealLog()) : await queries.execute(new GetNewestSeal());
        return new Text(JSON.stringify(seal, undefined, 2), seal);
      },
    ({ now }: { readonly now?: true }) => now === true,
  );

async function* printable(seals: AsyncIterable<RecordedEvent<Sealed>>): AsyncGenerator<Printable> {
  for await (const { id, data } of seals) {
    const { count, through, root, at } = data.statement;
    const value = { id, at, events: count, through: through.id, root };
    const time = new Date(at).toISOString();
    yield new Text(`${time}  ${id}\n  ${count} events through ${through.id}\n  root ${root}`, value);
  }
}
