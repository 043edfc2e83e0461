import type { CreatorId, LoadedState } from '#kernel';
import type { CreatorState, EnrolledCreator } from '../../domain/creator.state.js';

export type LoadedCreator<State extends CreatorState = CreatorState> = LoadedState<State, CreatorId>;

/** A creator that was enrolled. */
export type FoundCreator = LoadedCreator<EnrolledCreator>;

export const isFound = (creator: LoadedCreator): creator is FoundCreator => creator.state.status === 'known';
