import { LRUCache } from 'lru-cache';
import type { Cause, CommandContext } from './command-context.js';
import type { Decider } from './decider.js';
import { DomainError } from './errors.js';
import {
  type DomainEvent,
  type EventToAppend,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  type Revision,
  type StreamName,
  streamName,
} from './event.js';
import { type EventLog, WrongExpectedRevision } from './event-log.js';
import { newEventId } from './ids.js';
import type { Clock, Instant } from './instant.js';
import { KeyedQueue } from './keyed-queue.js';

export interface Folded<State> {
  readonly state: State;
  /** -1 where the stream has no event. */
  readonly revision: Revision;
  /** Time and position of the last event, 0 where there is none. */
  readonly at: Instant;
  readonly position: Position;
  /** The last event, as what follows from it names it. */
  readonly cause: Cause | null;
}

export interface Decided<State, Event> extends Folded<State> {
  /** What was appended; empty for a repeat. */
  readonly events: readonly Event[];
}

const PAGE = 1_000;
const ATTEMPTS = 12;
/** Some 60 MB, where all of them are creators. */
const CACHED_STREAMS = 50_000;

/** Load, fold, decide, append at the revision that was decided on; decide again where another was faster. */
export class CommandRunner {
  private readonly folds: LRUCache<StreamName, Folded<unknown>>;
  private readonly queue = new KeyedQueue();

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    options: { readonly cachedStreams?: number } = {},
  ) {
    this.folds = new LRUCache({ max: options.cachedStreams ?? CACHED_STREAMS });
  }

  now(): Instant {
    return this.clock.now();
  }

  /** The position of the log's last event, 0 where there is none. */
  head(): Promise<Position> {
    return this.log.head();
  }

  /** The stream's state at its end, from the cached fold and what came after it. */
  async load<State, Event extends DomainEvent>(decider: Decider<State, Event>, id: string): Promise<Folded<State>> {
    return this.current(decider, streamName(decider.category, id));
  }

  /** The same of several, in the order of the ids. */
  loadAll<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    ids: readonly string[],
  ): Promise<Folded<State>[]> {
    return Promise.all(ids.map((id) => this.current(decider, streamName(decider.category, id))));
  }

  /**
   * Appends what the decision returns, `[]` for a repeat. `now` never lies before the stream's last event, of which
   * `position` is the place in the log, 0 where there is none. Commands on one stream queue; `provider_unavailable`
   * once writers elsewhere were faster too often.
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
          context.trail.passed(before.position);
          return { ...before, events };
        }
        try {
          return await this.append(decider, stream, before, events, now, context);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          if (attempt === ATTEMPTS) throw new DomainError('provider_unavailable', { cause: error });
        }
      }
    });
  }

  private async append<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
    before: Folded<State>,
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
    context.trail.passed(position);
    return { ...after, events };
  }

  /** Without waiting where nothing has to be read. */
  private current<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
  ): Folded<State> | Promise<Folded<State>> {
    const known = this.folds.get(stream) as Folded<State> | undefined;
    if (known !== undefined && this.log.isAt?.(stream, known.revision)) return known;
    return this.catchUp(decider, stream, known ?? unborn(decider));
  }

  private async catchUp<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    stream: StreamName,
    from: Folded<State>,
  ): Promise<Folded<State>> {
    let folded = from;
    for (;;) {
      const page = await this.log.readStream(stream, { from: folded.revision + 1, limit: PAGE });
      // The stream's category names its decider, and that the type of its events.
      folded = (page as RecordedEvent<Event>[]).reduce((before, event) => foldEvent(decider, before, event), folded);
      if (page.length < PAGE) break;
    }
    if (folded !== from && folded.revision !== NO_EVENTS) this.folds.set(stream, folded);
    return folded;
  }
}

/** The fold of a stream without events. */
export const unborn = <State>({ initial }: { readonly initial: State }): Folded<State> => ({
  state: initial,
  revision: NO_EVENTS,
  at: 0,
  position: 0,
  cause: null,
});

/** The fold with one more recorded event. */
export const foldEvent = <State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  before: Folded<State>,
  event: RecordedEvent<Event>,
): Folded<State> => ({
  state: decider.evolve(before.state, event, event.metadata.at),
  revision: event.revision,
  at: event.metadata.at,
  position: event.position,
  cause: { id: event.id, correlationId: event.metadata.correlationId },
});
