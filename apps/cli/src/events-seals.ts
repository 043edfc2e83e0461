import type { Command } from 'commander';
import { AcceptSealLoss, GetNewestSeal, ListSeals, SealLog } from '#audit';
import type { RecordedEvent } from '#kernel';
import type { Seal, Sealed } from '#tamper-evidence';
import type { Operator } from './operator.js';
import { operatorContext } from './operator-context.js';
import { type Printable, Text } from './print.js';
import type { Register } from './register.js';

export const sealsCommand = (events: Command, register: Register): void =>
  register.reading(
    events.command('seals').description('list the seals of the log, the first one first'),
    async ({ queries }) => printable(await queries.execute(new ListSeals())),
  );

interface SealOptions {
  readonly now?: true;
  readonly acceptLoss?: true;
}

export const sealCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('seal')
      .description('print the newest seal, to be stored outside the log')
      .option('--now', 'seal all that the log holds first')
      .option('--accept-loss', 'the same for a log that lacks seals; records who accepts that'),
    async (operator, options: SealOptions) => {
      const seal = await sealOf(options, operator);
      return new Text(JSON.stringify(seal, undefined, 2), seal);
    },
    ({ now, acceptLoss }: SealOptions) => now === true || acceptLoss === true,
  );

const sealOf = ({ now, acceptLoss }: SealOptions, { commands, queries }: Operator): Promise<Seal> => {
  if (acceptLoss) return commands.execute(new AcceptSealLoss(operatorContext()));
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
