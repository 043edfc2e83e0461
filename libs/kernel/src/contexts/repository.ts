import type { CommandContext } from '../deciding/command-context.js';
import { CommandRunner, type Decision } from '../deciding/command-runner.js';
import { type Decided, type Decider, emptyState, type LoadedState } from '../deciding/decider.js';
import type { DomainEvent } from '../events/event.js';
import { provided } from './context-definition.js';

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

/** A class for the container to inject; a context names one for each decider. */
export const repositoryOf = <State, Event extends DomainEvent, Key extends string>(decider: Decider<State, Event>) =>
  class extends Repository<State, Event, Key> {
    constructor(runner: CommandRunner) {
      super(decider, runner);
    }
  };

export const repositoryProvider = <Bound>(repository: new (runner: CommandRunner) => Bound) =>
  provided(repository, [CommandRunner], (runner) => new repository(runner));
