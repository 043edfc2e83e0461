import type { Command } from 'commander';
import { type EventSelection, type Moment, ReadHistory, ReadStreamStates, type StateStep } from '#audit';
import { invalidRequest, type RecordedEvent, type StreamName, streamName } from '#kernel';
import { asMoment, asStream, idOption } from './arguments.js';
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
      return diff ? stepsOf(steps) : stateAfter(stream, await lastOf(steps));
    },
  );

const stateAfter = (stream: string, last: StateStep | undefined): object => {
  if (last === undefined) throw new Error('ReadStreamStates returned no state');
  const { event, state } = last;
  return { stream, revision: event.revision, event_id: event.id, at: event.metadata.at, state };
};

async function* stepsOf(steps: AsyncIterable<StateStep>): AsyncGenerator<Printable> {
  for await (const step of steps) yield new PrintableStep(step);
}

const lastOf = async <Item>(items: AsyncIterable<Item>): Promise<Item | undefined> => {
  let last: Item | undefined;
  for await (const item of items) last = item;
  return last;
};

class PrintableStep implements Printable {
  constructor(private readonly step: StateStep) {}

  toJSON(): object {
    const { event, changes } = this.step;
    const { id, revision, type, metadata } = event;
    // JSON leaves out undefined members, so null marks a member that was missing.
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

interface HistoryOptions {
  readonly stream?: StreamName;
  readonly creator?: string;
  readonly scan?: string;
  readonly case?: string;
  readonly deindex?: string;
  readonly key?: string;
  readonly correlation?: string;
  readonly causation?: string;
  readonly type?: readonly string[];
  readonly from?: Moment;
  readonly to?: Moment;
  readonly reveal?: true;
}

export const historyCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('history')
      .description('show the events of the log that meet all conditions, in order')
      .option('--stream <name>', 'events of one stream, <category>-<id>', asStream)
      .option('--creator <crt>', 'about a creator', idOption('creator', 'creator'))
      .option('--scan <scn>', 'about a scan', idOption('scan', 'scan'))
      .option('--case <cas>', 'about a case', idOption('case', 'case'))
      .option('--deindex <dix>', 'about a deindex request', idOption('deindex', 'deindexRequest'))
      .option('--key <key>', 'caused by a key, or about it', idOption('key', 'key'))
      .option('--correlation <id>', 'events of one request, or one run of a process')
      .option('--causation <event>', 'the causes and effects of an event')
      .option('--type <types...>', 'events of these types or prefixes, such as scan.queued or case.')
      .option('--from <moment>', 'not before a time or an event', asMoment)
      .option('--to <moment>', 'not after a time or an event', asMoment)
      .option('--reveal', 'show names, aliases, emails and URLs'),
    async ({ queries }, options: HistoryOptions) => {
      requireOrder(options);
      const history = new ReadHistory(asSelection(options), streamsOf(options), options.reveal === true);
      return printable(await queries.execute(history));
    },
  );

const requireOrder = ({ from, to }: HistoryOptions): void => {
  if (from?.kind === 'time' && to?.kind === 'time' && from.at > to.at) {
    throw invalidRequest({ field: 'to', message: 'must not be before --from' });
  }
};

const streamsOf = ({ creator, scan, case: caseId, deindex, key }: HistoryOptions): StreamName[] =>
  Object.entries({ creator, scan, case: caseId, deindexRequest: deindex, apiKey: key }).flatMap(([category, id]) =>
    id === undefined ? [] : [streamName(category, id)],
  );

const asSelection = (options: HistoryOptions): EventSelection => {
  const { stream, creator, scan, case: caseId, deindex, key, correlation, causation, type, from, to } = options;
  const about = [creator, scan, caseId, deindex].filter((id) => id !== undefined);
  return { stream, about, key, correlationId: correlation, causation, types: type, from, to };
};

async function* printable(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Printable> {
  for await (const event of events) yield new PrintableEvent(event);
}

/** An event as an auditor reads it. Its position belongs to the store and is not shown. */
class PrintableEvent implements Printable {
  constructor(private readonly event: RecordedEvent) {}

  toJSON(): object {
    const { id, stream, revision, type, data, metadata } = this.event;
    const { at, actor, correlationId, causationId, workspaceId, ...rest } = metadata;
    return {
      id,
      stream,
      revision,
      type,
      at,
      actor,
      correlation_id: correlationId,
      causation_id: causationId,
      workspace_id: workspaceId,
      ...rest,
      data,
    };
  }

  toString(): string {
    const { id, stream, revision, type, data, metadata } = this.event;
    const { at, actor, correlationId, causationId } = metadata;
    const cause = causationId === null ? '' : ` after ${causationId}`;
    return [
      `${new Date(at).toISOString()}  ${type}`,
      `  ${stream} #${revision}  event ${id}`,
      `  by ${actor} in ${correlationId}${cause}`,
      ...Object.entries(data).map(([name, value]) => `  ${name}: ${jsonText(value)}`),
    ].join('\n');
  }
}
