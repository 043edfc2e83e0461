import { type CommandRunner, type CreatorId, type LoadedState, Repository } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { creatorDecider } from '../domain/creator.js';
import type { CreatorState, EnrolledCreator } from '../domain/creator.state.js';

export type LoadedCreator<State extends CreatorState = CreatorState> = LoadedState<State, CreatorId>;

/** One that was enrolled, as it was found within this request or job. */
export type FoundCreator = LoadedCreator<EnrolledCreator>;

export class CreatorRepository extends Repository<CreatorState, CreatorEvent, CreatorId> {
  constructor(runner: CommandRunner) {
    super(creatorDecider, runner);
  }
}

/** Whether the state that was loaded is of that kind. */
export const holds = <State extends CreatorState>(
  creator: LoadedCreator,
  isOfKind: (state: CreatorState) => state is State,
): creator is LoadedCreator<State> => isOfKind(creator.state);

export const isFound = (creator: LoadedCreator): creator is FoundCreator => creator.state.status === 'known';
