import type { LRUCache } from 'lru-cache';
import { KeyedQueue } from '../concurrency/keyed-queue.js';
import { DomainError } from '../errors.js';
import {
  type DomainEvent,
  type EventToAppend,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
  streamName,
} from '../events/event.js';
import { newEventId } from '../ids.js';
import type { Clock, Instant } from '../instant.js';
import { boundedCache } from '../memory/bounded-cache.js';
import { memorySizeOf } from '../memory/memory-size.js';
import { type EventLog, WrongExpectedRevision } from '../stores/event-log.js';
import type { Cause, CommandContext } from './command-context.js';
import type { Decider } from './decider.js';

export interface LoadedState<State> {
  readonly state: State;
  /** -1 if the stream has no event. */
  readonly revision: Revision;
  /** Time and position of the last event, 0 without one. */
  readonly at: Instant;
  readonly position: Position;
  /** The last event, as events that it causes refer to it. */
  readonly cause: Cause | null;
}

export interface Decided<State, Event> extends LoadedState<State> {
  /** The appended events; empty for a repeat. */
  readonly events: readonly Event[];
}

/** The events of one read. That many of the largest ones take some tens of megabytes. */
const PAGE_SIZE = 100;
const MAX_ATTEMPTS = 12;
const CACHE_SIZE = 50_000;
/** So that the largest creators of one agency do not evict the usual ones of all agencies. */
const CACHE_BYTES = 24 * 1024 * 1024;

/** Loads and folds a stream, decides, and appends with the expected revision; decides again after a conflict. */
export class CommandRunner {
  private readonly folds: LRUCache<StreamName, LoadedState<unknown>>;
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    options: { readonly cachedStreams?: number } = {},
  ) {
    const entries = options.cachedStreams ?? CACHE_SIZE;
    this.folds = boundedCache({ entries, bytes: CACHE_BYTES }, ({ state }) => memorySizeOf(state));
  }

  /** Clears the cache of states; the next use reads the log. */
  forget(): void {
    this.folds.clear();
  }

  now(): Instant {
    return this.clock.now();
  }

  /** The position of the last event in the log, 0 without one. */
  head(): Promise<Position> {
    return this.log.head();
  }

  /** The present state of the stream: the cached state, and the events after it. */
  async load<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    id: string,
  ): Promise<LoadedState<State>> {
    return this.current(decider, streamName(decider.category, id));
  }

  /** The same for several streams, in the order of the ids. */
  loadAll<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    ids: readonly string[],
  ): Promise<LoadedState<State>[]> {
    return Promise.all(ids.map((id) => this.current(decider, streamName(decider.category, id))));
  }

  /**
   * Appends the events that the decision returns, `[]` for a repeat. `now` is never earlier than the last event of the
   * stream, and `position` is that event's position, 0 without one. Commands on one stream are queued. Rejects with
   * `provider_unavailable` after `MAX_ATTEMPTS` conflicts.
   */
  run<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    id: string,
    context: CommandContext,
    decide: (state: State, now: Instant, position: Position) => readonly Event[],
  ): Promise<Decided<State, Event>> {
    const stream = streamName(decider.category, id);
    return this.queue.run(stream, async () => {
      for (let attempt = 1; ; attempt++) {
        const before = await this.current(decider, stream);
        const now = Math.max(this.clock.now(), before.at);
        const events = decide(before.state, now, before.position);
        if (events.length === 0) {
          context.consistencyToken.advanceTo(before.position);
          return { ...before, events };
        }
        try {
          return await this.append(decider, stream, before, events, now, context);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          if (attempt === MAX_ATTEMPTS) throw new DomainError('provider_unavailable', { cause: error });
        }
      }
    });
  }

  private async append<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
    before: LoadedState<State>,
    events: readonly Event[],
    at: Instant,
    context: CommandContext,
  ): Promise<Decided<State, Event>> {
    const { actor, correlationId, causationId, workspaceId } = context;
    const metadata = { at, correlationId, causationId, actor, workspaceId };
    const records = events.map(({ type, data }): EventToAppend => ({ id: newEventId(), type, data, metadata }));
    const expected = before.revision === NO_EVENTS ? 'none' : before.revision;
    const { revision, position } = await this.log.append(stream, expected, records);
    const state = events.reduce((folded, event) => decider.evolve(folded, event, at), before.state);
    const cause = { id: (records.at(-1) as EventToAppend).id, correlationId };
    const after = { state, revision, at, position, cause };
    this.folds.set(stream, after);
    context.consistencyToken.advanceTo(position);
    return { ...after, events };
  }

  /** Returns without a promise if nothing has to be read. */
  private current<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
  ): LoadedState<State> | Promise<LoadedState<State>> {
    const known = this.folds.get(stream) as LoadedState<State> | undefined;
    if (known !== undefined && this.log.isAt?.(stream, known.revision)) return known;
    return this.catchUp(decider, stream, known ?? emptyState(decider));
  }

  private async catchUp<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
    from: LoadedState<State>,
  ): Promise<LoadedState<State>> {
    let folded = from;
    for (;;) {
      const page = await this.log.readStream(stream, { from: folded.revision + 1, limit: PAGE_SIZE });
      // The category of the stream determines the decider, and with it the type of the events.
      folded = (page as RecordedEvent<Event>[]).reduce((before, event) => foldEvent(decider, before, event), folded);
      if (page.length < PAGE_SIZE) break;
    }
    if (folded !== from && folded.revision !== NO_EVENTS) this.folds.set(stream, folded);
    return folded;
  }
}

/** The state of a stream without events. */
export const emptyState = <State>({ initial }: { readonly initial: State }): LoadedState<State> => ({
  state: initial,
  revision: NO_EVENTS,
  at: 0,
  position: 0,
  cause: null,
});

/** The state after one more recorded event. */
export const foldEvent = <State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  before: LoadedState<State>,
  event: RecordedEvent<Event>,
): LoadedState<State> => ({
  state: decider.evolve(before.state, event, event.metadata.at),
  revision: event.revision,
  at: event.metadata.at,
  position: event.position,
  cause: { id: event.id, correlationId: event.metadata.correlationId },
});
