import type { DomainEvent } from '../events/event.js';
import type { CommandContext } from './command-context.js';
import type { CommandRunner, Decision } from './command-runner.js';
import type { Decider } from './decider.js';
import { type Decided, emptyState, type LoadedState } from './loaded-state.js';

/** The command runner, bound to one decider. */
export abstract class Repository<State, Event extends DomainEvent, Key extends string> {
  constructor(
    private readonly decider: Decider<State, Event>,
    private readonly runner: CommandRunner,
  ) {}

  load(id: Key): Promise<LoadedState<State, Key>> {
    return this.runner.load(this.decider, id);
  }

  /** As this process last loaded or appended it, without a read: what other processes have appended since is missing. */
  cached(id: Key): LoadedState<State, Key> | undefined {
    return this.runner.cached(this.decider, id);
  }

  /** In the order of the ids. */
  loadAll(ids: readonly Key[]): Promise<readonly LoadedState<State, Key>[]> {
    return this.runner.loadAll(this.decider, ids);
  }

  /** Without a read, for an id that was just made: the append expects no event, and a conflict reads the stream. */
  assumeNew(id: Key): LoadedState<State, Key> {
    return emptyState(this.decider, id);
  }

  /** A state that was loaded within this request or job is used as it is: only a conflict reads the stream. */
  update(
    from: Key | LoadedState<State, Key>,
    context: CommandContext,
    decide: Decision<State, Event>,
  ): Promise<Decided<State, Event, Key>> {
    return this.runner.run(this.decider, from, context, decide);
  }

  /** The same, unless something was recorded after the state was loaded: then what was seen by then may be older. */
  async updateIfUnchanged(
    loaded: LoadedState<State, Key>,
    context: CommandContext,
    decide: (state: State) => readonly Event[],
  ): Promise<{ readonly loaded: Decided<State, Event, Key>; readonly isOvertaken: boolean }> {
    let isOvertaken = false;
    const decided = await this.update(loaded, context, (state, _now, position) => {
      isOvertaken = position > loaded.position;
      return isOvertaken ? [] : decide(state);
    });
    return { loaded: decided, isOvertaken };
  }
}
