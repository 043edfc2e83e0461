import type { Command } from 'commander';
import { type Moment, ReadStreamStates, type StateStep } from '#audit';
import { asMoment, asStream } from './arguments.js';
import { jsonText, type Printable } from './print.js';
import type { Register } from './register.js';

interface StateOptions {
  readonly at?: Moment;
  readonly diff?: true;
  readonly reveal?: true;
}

export const stateCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('state <stream>')
      .description('fold a stream, and show the state')
      .option('--at <moment>', 'the state at a time, or at an event of the log', asMoment)
      .option('--diff', 'show what each event changed')
      .option('--reveal', 'show names, aliases, emails and URLs'),
    async ({ queries }, { at, diff, reveal }: StateOptions, name) => {
      const stream = asStream(name);
      const steps = await queries.execute(new ReadStreamStates(stream, at, reveal === true));
      return diff ? printable(steps) : stateAfter(stream, await lastOf(steps));
    },
  );

const stateAfter = (stream: string, last: StateStep | undefined): object => {
  if (last === undefined) throw new Error('ReadStreamStates returned no state');
  const { event, state } = last;
  return { stream, revision: event.revision, event_id: event.id, at: event.metadata.at, state };
};

async function* printable(steps: AsyncIterable<StateStep>): AsyncGenerator<Printable> {
  for await (const step of steps) yield new PrintableStep(step);
}

const lastOf = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  let last: Item | undefined;
  for await (const item of items) last = item;
  return last;
};

/** What one event changed, as an auditor reads it. */
class PrintableStep implements Printable {
  constructor(private readonly step: StateStep) {}

  toJSON(): object {
    const { event, changes } = this.step;
    const { id, revision, type, metadata } = event;
    // JSON leaves out undefined members, so null means a member that was missing.
    const shown = changes.map(({ path, before = null, after = null }) => ({ path, before, after }));
    return { event_id: id, revision, type, at: metadata.at, changes: shown };
  }

  toString(): string {
    const { event, changes } = this.step;
    const { id, revision, type, metadata } = event;
    const lines = changes.map(({ path, before, after }) => `  ${path || 'state'}: ${shown(before)} → ${shown(after)}`);
    return [`${new Date(metadata.at).toISOString()}  #${revision}  ${type}  event ${id}`, ...lines].join('\n');
  }
}

const shown = (value: unknown): string => (value === undefined ? '–' : jsonText(value));
