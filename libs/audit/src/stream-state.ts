import {
  type AnyDecider,
  type EventLog,
  emptyState,
  eventsOfStream,
  foldEvent,
  type LoadedState,
  type RecordedEvent,
  type StreamName,
  streamId,
} from '#kernel';
import { type Difference, differences } from './differences.js';
import { boundAt, type Moment } from './moment.js';

export interface StateStep {
  readonly event: RecordedEvent;
  readonly state: unknown;
  readonly changes: readonly Difference[];
}

/**
 * The states of the stream, one after each event, up to a moment, which may be an event of any stream.
 * `seen` may replace an event before it is folded. Throws `UnknownEvent`.
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
