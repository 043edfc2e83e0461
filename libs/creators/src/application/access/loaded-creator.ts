import { type CreatorId, DomainError, holds, type LoadedState } from '#kernel';
import { type CreatorState, type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';

export type LoadedCreator<State extends CreatorState = CreatorState> = LoadedState<State, CreatorId>;

export type FoundCreator = LoadedCreator<EnrolledCreator>;

export const isFound = (creator: LoadedCreator): creator is FoundCreator => creator.state.status === 'known';

/** `not_found` for one that was never enrolled. */
export const enrolled = (creator: LoadedCreator): FoundCreator => {
  if (!isFound(creator)) throw new DomainError('not_found');
  return creator;
};

/** `not_found` for one that its agency cannot see (D9, D43). */
export const visible = (creator: LoadedCreator): FoundCreator => {
  if (!holds(creator, isAccessible)) throw new DomainError('not_found');
  return creator;
};
