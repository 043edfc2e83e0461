import { setImmediate } from 'node:timers/promises';
import { KeyedMutex } from '../concurrency/keyed-mutex.js';
import { DomainError } from '../errors.js';
import {
  type DomainEvent,
  type EventToAppend,
  NO_EVENTS,
  type Position,
  type RecordedEvent,
  streamName,
} from '../events/event.js';
import { newEventId } from '../ids.js';
import type { Clock, Instant } from '../instant.js';
import type { Caches } from '../memory/caches.js';
import { type EventLog, WrongExpectedRevision } from '../stores/event-log.js';
import { AggregateCache } from './aggregate-cache.js';
import type { CommandContext } from './command-context.js';
import { type Decided, type Decider, emptyState, foldEvent, type LoadedState } from './decider.js';

/** `now` is never earlier than the last event of the stream, and `position` is that event's, 0 without one. */
export type Decision<State, Event> = (state: State, now: Instant, position: Position) => readonly Event[];

/** The events of one read. This many of the largest ones take some tens of megabytes. */
const PAGE_SIZE = 100;
const MAX_ATTEMPTS = 12;

export interface CommandRunnerOptions {
  readonly caches?: Caches;
  /** The bound of the whole cache of states; without it, large states and those needed often have separate room. */
  readonly cacheBytes?: number;
}

/** Loads and folds a stream, decides, and appends with the expected revision; decides again after a conflict. */
export class CommandRunner {
  private readonly folds: AggregateCache;
  private readonly queue = new KeyedMutex();

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    { caches, cacheBytes }: CommandRunnerOptions = {},
  ) {
    this.folds = new AggregateCache(log, clock, caches, cacheBytes);
  }

  forget(): void {
    this.folds.clear();
  }

  async load<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    id: Key,
  ): Promise<LoadedState<State, Key>> {
    return this.current(decider, id);
  }

  loadAll<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    ids: readonly Key[],
  ): Promise<LoadedState<State, Key>[]> {
    return Promise.all(ids.map((id) => this.current(decider, id)));
  }

  /** As this process last loaded or appended it, without a read: what other processes have appended since is missing. */
  cached<State, Event extends DomainEvent, Key extends string>(
    { category }: Decider<State, Event>,
    id: Key,
  ): LoadedState<State, Key> | undefined {
    // The name of the stream determines the type of its state.
    return this.folds.get(streamName(category, id)) as LoadedState<State, Key> | undefined;
  }

  /**
   * Commands on one stream are queued. A state that was loaded in this request or job is used as it is: its revision is
   * expected, and read again only after a conflict. Rejects with `provider_unavailable` after `MAX_ATTEMPTS` conflicts.
   */
  run<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    from: Key | LoadedState<State, Key>,
    context: CommandContext,
    decide: Decision<State, Event>,
  ): Promise<Decided<State, Event, Key>> {
    const id = typeof from === 'string' ? from : from.id;
    return this.queue.run(streamName(decider.category, id), async () => {
      let before = await (typeof from === 'string' ? this.current(decider, from) : this.newest(decider, from));
      for (let attempt = 1; ; attempt++) {
        const clock = this.clock.now();
        const now = Math.max(clock, before.at);
        const decided = decide(before.state, now, before.position);
        const events =
          clock < now ? decided.map((event) => decider.whenClockIsBehind?.(event, clock) ?? event) : decided;
        if (events.length === 0) {
          context.consistencyToken.advanceTo(before.position);
          return { ...before, events };
        }
        try {
          return await this.append(decider, before, events, now, context);
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
          if (attempt === MAX_ATTEMPTS) throw new DomainError('provider_unavailable', { cause: error });
        }
        before = await this.catchUp(decider, this.cached(decider, id) ?? emptyState(decider, id));
      }
    });
  }

  private async append<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    before: LoadedState<State, Key>,
    events: readonly Event[],
    at: Instant,
    context: CommandContext,
  ): Promise<Decided<State, Event, Key>> {
    const { actor, correlationId, causationId, workspaceId } = context;
    const metadata = { at, correlationId, causationId, actor, workspaceId };
    const records = events.map(({ type, data }): EventToAppend => ({ id: newEventId(), type, data, metadata }));
    const { id } = before;
    const stream = streamName(decider.category, id);
    const expected = before.revision === NO_EVENTS ? 'none' : before.revision;
    const after = await this.folds.keep(stream, decider.isNeededOften === true, async () => {
      const { revision, position } = await this.log.append(stream, expected, records);
      const state = events.reduce((folded, event) => decider.evolve(folded, event, at), before.state);
      const cause = { id: (records.at(-1) as EventToAppend).id, correlationId };
      return { id, state, revision, at, position, cause };
    });
    context.consistencyToken.advanceTo(after.position);
    return { ...after, events };
  }

  /** The loaded state, or a newer one from this process's own appends: that costs no read. */
  private newest<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    loaded: LoadedState<State, Key>,
  ): LoadedState<State, Key> {
    const known = this.cached(decider, loaded.id);
    return known !== undefined && known.revision > loaded.revision ? known : loaded;
  }

  private current<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    id: Key,
  ): LoadedState<State, Key> | Promise<LoadedState<State, Key>> {
    const known = this.cached(decider, id);
    if (known === undefined) return this.catchUp(decider, emptyState(decider, id));
    const isCurrent = this.folds.isCurrent(streamName(decider.category, id));
    if (typeof isCurrent === 'boolean') return isCurrent ? known : this.catchUp(decider, known);
    return isCurrent.then((is) => {
      const latest = this.cached(decider, id) ?? emptyState(decider, id);
      return is ? latest : this.catchUp(decider, latest);
    });
  }

  private catchUp<State, Event extends DomainEvent, Key extends string>(
    decider: Decider<State, Event>,
    from: LoadedState<State, Key>,
  ): Promise<LoadedState<State, Key>> {
    const stream = streamName(decider.category, from.id);
    return this.folds.keep(stream, decider.isNeededOften === true, async () => {
      let folded = from;
      for (;;) {
        const page = await this.log.readStream(stream, { from: folded.revision + 1, limit: PAGE_SIZE });
        // The category of the stream determines the decider, and with it the type of the events.
        folded = (page as RecordedEvent<Event>[]).reduce((before, event) => foldEvent(decider, before, event), folded);
        if (page.length < PAGE_SIZE) return folded;
        // The pages of a long roster take seconds of synchronous work: other requests have their turn in between.
        await setImmediate();
      }
    });
  }
}
