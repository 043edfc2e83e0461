import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DECIDERS } from '#contexts';
import {
  type AnyDecider,
  categoryOf,
  EventLog,
  emptyState,
  eventsOfStream,
  foldEvent,
  invalidRequest,
  type LoadedState,
  notFound,
  type RecordedEvent,
  type StreamName,
  streamId,
} from '#kernel';
import { type Difference, differences } from './differences.js';
import { boundAt, type Moment } from './moment.js';
import { readerOf } from './pseudonyms.js';

export interface StateStep {
  readonly event: RecordedEvent;
  readonly state: unknown;
  readonly changes: readonly Difference[];
}

/**
 * The states of the stream, one after each event, up to a moment, which may be an event of any stream.
 * `seen` may replace an event before it is folded.
 */
export async function* streamStates(
  log: EventLog,
  decider: AnyDecider,
  stream: StreamName,
  { at, seen = (event) => event }: { at?: Moment | undefined; seen?: (event: RecordedEvent) => RecordedEvent } = {},
): AsyncGenerator<StateStep> {
  const bound = at && (await boundAt(log, at));
  let before: LoadedState<unknown> = emptyState(decider, streamId(stream));
  for await (const event of eventsOfStream(log, stream)) {
    if (bound?.isNotAfter(event) === false) return;
    const after = foldEvent(decider, before, seen(event));
    yield { event, state: after.state, changes: differences(before.state, after.state) };
    before = after;
  }
}

/** The states of a stream, one after each event, up to a moment. `not_found` if the stream has none. */
export class ReadStreamStates extends Query<AsyncIterable<StateStep>> {
  constructor(
    readonly stream: StreamName,
    readonly at: Moment | undefined,
    /** Personal texts as they are; otherwise numbered placeholders. */
    readonly isRevealed: boolean,
  ) {
    super();
  }
}

@QueryHandler(ReadStreamStates)
export class ReadStreamStatesHandler implements IQueryHandler<ReadStreamStates> {
  constructor(private readonly log: EventLog) {}

  async execute({ stream, at, isRevealed }: ReadStreamStates): Promise<AsyncIterable<StateStep>> {
    const decider = DECIDERS.get(categoryOf(stream));
    if (decider === undefined) {
      const known = [...DECIDERS.keys()].toSorted().join(', ');
      throw invalidRequest({ field: 'stream', message: `must be of one of the categories ${known}` });
    }
    const steps = streamStates(this.log, decider, stream, { at, seen: readerOf(isRevealed) });
    const message = at === undefined ? `${stream} has no event` : `${stream} had no event at that time`;
    return atLeastOne(steps, () => notFound('stream', message));
  }
}

async function* atLeastOne(steps: AsyncIterable<StateStep>, noStep: () => Error): AsyncGenerator<StateStep> {
  let isEmpty = true;
  for await (const step of steps) {
    isEmpty = false;
    yield step;
  }
  if (isEmpty) throw noStep();
}
