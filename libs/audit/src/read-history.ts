import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog, eventsOf, eventsOfStream, notFound, type RecordedEvent, type StreamName } from '#kernel';
import { isAbout } from '#personal-data';
import { SEALS } from '#tamper-evidence';
import { boundAt, eventNamed, type Moment } from './moment.js';
import { readerOf } from './pseudonyms.js';

/** Selects events for an auditor; all given conditions must hold. */
export interface EventSelection {
  readonly stream?: StreamName | undefined;
  /** Ids of what the events are about: creators, scans, cases, deindex requests, … */
  readonly about?: readonly string[] | undefined;
  /** Caused by this key, or about it. */
  readonly key?: string | undefined;
  readonly correlationId?: string | undefined;
  /** An event: selects its causes and its effects. */
  readonly causation?: string | undefined;
  /** Event types, or their prefixes: `case.`, `scan.queued`. */
  readonly types?: readonly string[] | undefined;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
}

/** The selected events, in the order of the log. `not_found` if the log lacks an event that is named. */
export async function* selectedEvents(log: EventLog, selection: EventSelection): AsyncGenerator<RecordedEvent> {
  const { stream, causation, from, to } = selection;
  const chain = causation === undefined ? undefined : await causationChain(log, causation);
  const [first, last] = await Promise.all([from, to].map((moment) => moment && boundAt(log, moment)));
  for await (const event of stream === undefined ? eventsOf(log) : eventsOfStream(log, stream)) {
    if (first?.isNotBefore(event) === false || last?.isNotAfter(event) === false) continue;
    if (isSelected(event, selection) && (chain === undefined || chain.has(event.id))) yield event;
  }
}

const isSelected = (event: RecordedEvent, { stream, about = [], key, correlationId, types }: EventSelection): boolean =>
  (stream === undefined || event.stream === stream) &&
  about.every((id) => isAbout(event, id)) &&
  (key === undefined || event.metadata.actor === `key:${key}` || isAbout(event, key)) &&
  (correlationId === undefined || event.metadata.correlationId === correlationId) &&
  (types === undefined || types.some((type) => event.type.startsWith(type)));

/** The event, its causes and its effects, across correlation ids: periodic work has its own ids. */
const causationChain = async (log: EventLog, eventId: string): Promise<ReadonlySet<string>> => {
  const named = await eventNamed(log, eventId);
  const chain = new Set([named.id]);
  for await (const { id, stream, metadata } of eventsOf(log)) {
    // A seal covers the events before it, but they do not cause it.
    if (stream === SEALS) continue;
    if (metadata.causationId !== null && chain.has(metadata.causationId)) chain.add(id);
  }
  for await (const id of causesOf(log, named)) chain.add(id);
  return chain;
};

/** Yields the causes of an event, the nearest first. Most share its correlation id, so only a few ids are in memory. */
async function* causesOf(log: EventLog, { id, metadata }: RecordedEvent): AsyncGenerator<string> {
  const causes = new Map<string, string | null>();
  for await (const before of eventsOf(log)) {
    if (before.id === id) break;
    if (before.metadata.correlationId === metadata.correlationId) causes.set(before.id, before.metadata.causationId);
  }
  let cause = metadata.causationId;
  for (; cause !== null && causes.has(cause); cause = causes.get(cause) ?? null) yield cause;
  if (cause === null) return;
  const elsewhere = await eventNamed(log, cause);
  yield elsewhere.id;
  yield* causesOf(log, elsewhere);
}

/**
 * The selected events, in the order of the log. `not_found` if there is none and one of the streams has no event either:
 * a mistyped id must not look like an empty history.
 */
export class ReadHistory extends Query<AsyncIterable<RecordedEvent>> {
  constructor(
    readonly selection: EventSelection,
    readonly streams: readonly StreamName[],
    /** Personal texts as they are; otherwise numbered placeholders. */
    readonly isRevealed: boolean,
  ) {
    super();
  }
}

@QueryHandler(ReadHistory)
export class ReadHistoryHandler implements IQueryHandler<ReadHistory> {
  constructor(private readonly log: EventLog) {}

  async execute(query: ReadHistory): Promise<AsyncIterable<RecordedEvent>> {
    return this.events(query);
  }

  private async *events({ selection, streams, isRevealed }: ReadHistory): AsyncGenerator<RecordedEvent> {
    const read = readerOf(isRevealed);
    let isEmpty = true;
    for await (const event of selectedEvents(this.log, selection)) {
      isEmpty = false;
      yield read(event);
    }
    if (isEmpty) await this.assertRecorded(streams);
  }

  private async assertRecorded(streams: readonly StreamName[]): Promise<void> {
    for (const stream of streams) {
      const [first] = await this.log.readStream(stream, { limit: 1 });
      if (first === undefined) throw notFound('stream', `${stream} has no event`);
    }
  }
}
