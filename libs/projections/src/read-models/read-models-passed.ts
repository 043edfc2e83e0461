import { type CommandContext, DomainError, type Duration, type Progress } from '#kernel';
import { READ_MODELS } from '../engine/read-models-runner.js';

const TIMEOUT: Duration = 2_000;

/** A list that was synchronized within the request is shown only if its read model has all of it (D80). */
export const readModelsPassed = async (progress: Progress, { consistencyToken }: CommandContext): Promise<void> => {
  if (await progress.passed([READ_MODELS], consistencyToken.position, TIMEOUT)) return;
  const cause = new Error(`the read models have not reached ${consistencyToken.position} within ${TIMEOUT} ms`);
  throw new DomainError('provider_unavailable', { retryAfterSeconds: 1, cause });
};
