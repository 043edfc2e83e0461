import type { Command } from 'commander';
import { type EventSelection, type Moment, ReadHistory } from '#audit';
import { invalidRequest, parseId, type RecordedEvent, type StreamName, streamName } from '#kernel';
import { asMoment } from './moment-option.js';
import { jsonText, type Printable } from './print.js';
import type { Register } from './register.js';
import { asStream } from './stream-argument.js';

interface HistoryOptions {
  readonly stream?: string;
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
      .option('--stream <name>', 'of one stream, <category>-<id>')
      .option('--creator <crt>', 'about a creator')
      .option('--scan <scn>', 'about a scan')
      .option('--case <cas>', 'about a case')
      .option('--deindex <dix>', 'about a deindex request')
      .option('--key <key>', 'caused by a key, or about it')
      .option('--correlation <id>', 'of one request, or one run of a process')
      .option('--causation <event>', 'what led to an event, and what it led to')
      .option('--type <types...>', 'of these types, or with these prefixes, such as scan.queued or case.')
      .option('--from <moment>', 'not before a time or an event', asMoment)
      .option('--to <moment>', 'not after a time or an event', asMoment)
      .option('--reveal', 'show names, aliases, emails and URLs'),
    ({ reveal, ...options }: HistoryOptions) =>
      async ({ queries }) => {
        checkOptions(options);
        const history = new ReadHistory(asSelection(options), streamsOf(options), reveal === true);
        return printable(await queries.execute(history));
      },
  );

/** The kind of each option's id, and the category of its stream. */
const ID_OPTIONS = {
  creator: ['creator', 'creator'],
  scan: ['scan', 'scan'],
  case: ['case', 'case'],
  deindex: ['deindexRequest', 'deindexRequest'],
  key: ['key', 'apiKey'],
} as const;

/** A mistyped id must not look like an empty history. */
const checkOptions = (options: Omit<HistoryOptions, 'reveal'>): void => {
  for (const [field, [kind]] of Object.entries(ID_OPTIONS)) {
    const text = options[field as keyof typeof ID_OPTIONS];
    if (text === undefined || parseId(kind, text) !== undefined) continue;
    throw invalidRequest({ field, message: `must be the id of a ${field}` });
  }
  const { from, to } = options;
  if (from?.kind === 'time' && to?.kind === 'time' && from.at > to.at) {
    throw invalidRequest({ field: 'to', message: 'must not be before --from' });
  }
};

const streamsOf = (options: Omit<HistoryOptions, 'reveal'>): StreamName[] =>
  Object.entries(ID_OPTIONS).flatMap(([field, [, category]]) => {
    const id = options[field as keyof typeof ID_OPTIONS];
    return id === undefined ? [] : [streamName(category, id)];
  });

const asSelection = (options: Omit<HistoryOptions, 'reveal'>): EventSelection => {
  const { stream, creator, scan, case: caseId, deindex, key, correlation, causation, type, from, to } = options;
  const about = [creator, scan, caseId, deindex].filter((id) => id !== undefined);
  return {
    ...(stream !== undefined && { stream: asStream(stream) }),
    about,
    ...(key !== undefined && { key }),
    ...(correlation !== undefined && { correlationId: correlation }),
    ...(causation !== undefined && { causation }),
    ...(type !== undefined && { types: type }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
};

async function* printable(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Printable> {
  for await (const event of events) yield new PrintableEvent(event);
}

/** An event as an auditor reads it. Its position belongs to the store, and is not shown. */
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
