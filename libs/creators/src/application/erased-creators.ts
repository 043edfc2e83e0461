import { type CommandRunner, type CreatorId, DomainError } from '#kernel';
import { creatorDecider } from '../domain/creator.js';
import { isErased } from '../domain/creator.state.js';

/** D72: `not_found` for a creator that was erased, also while its records are being read: none of them is recorded. */
export const requireNotErased = async (runner: CommandRunner, creatorId: CreatorId): Promise<void> => {
  const { state } = await runner.load(creatorDecider, creatorId);
  if (isErased(state)) throw new DomainError('not_found');
};
