import { type CommandContext, DomainError, type Duration, type LanePositions } from '#kernel';
import { READ_MODELS } from '../engine/read-models-runner.js';

const TIMEOUT: Duration = 2_000;

/** A list that was synchronized within the request is shown only if its read model has all of it (D80). */
export const readModelsPassed = async (
  progress: LanePositions,
  { consistencyToken }: CommandContext,
): Promise<void> => {
  if (await progress.waitForPosition([READ_MODELS], consistencyToken.position, TIMEOUT)) return;
  const cause = new Error(`the read models have not reached ${consistencyToken.position} within ${TIMEOUT} ms`);
  throw new DomainError('provider_unavailable', { retryAfterSeconds: 1, cause });
};
