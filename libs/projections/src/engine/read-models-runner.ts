import { type CommandContext, DomainError, type LanePositions, type Projection } from '#kernel';

/** The runner of the read models that an answer to a write waits for, and of all that name no runner. */
export const READ_MODELS = 'read-models';

/** The runner of the dashboard's read models: no answer waits for it. */
export const DASHBOARD_READ_MODELS = 'dashboard-read-models';

/** The lanes of the read models; a lane's name is that of its checkpoint. */
export const READ_MODEL_LANES: Readonly<Record<string, string>> = {
  [READ_MODELS]: 'views',
  [DASHBOARD_READ_MODELS]: 'insight',
};

export const laneOfReadModels = (runner: string): string => READ_MODEL_LANES[runner] ?? runner;

export const byRunner = (projections: readonly Projection[]): ReadonlyMap<string, readonly Projection[]> =>
  Map.groupBy(projections, ({ runner = READ_MODELS }) => runner);

export const READ_MODEL_RUNNERS: ReadonlySet<string> = new Set(Object.keys(READ_MODEL_LANES));

/** A list that was synchronized within the request is shown only if its read model has all of it (D80). */
export const readModelsPassed = async (
  progress: LanePositions,
  { consistencyToken }: CommandContext,
): Promise<void> => {
  if (await progress.waitForPositionBriefly([READ_MODELS], consistencyToken.position)) return;
  const cause = new Error(`the read models have not reached ${consistencyToken.position} in time`);
  throw new DomainError('provider_unavailable', { retryAfterSeconds: 1, cause });
};
