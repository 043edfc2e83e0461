import type { Projection } from '#kernel';

/** The runner of the read models that an answer to a write waits for. Its checkpoint shows readers how far they are. */
export const READ_MODELS = 'read-models';

/** The runner of the dashboard's read models: no answer waits for it. */
export const DASHBOARD_READ_MODELS = 'dashboard-read-models';

/** The read models of each runner. */
export const byRunner = (
  projections: readonly Projection[],
  usual = READ_MODELS,
): ReadonlyMap<string, readonly Projection[]> => Map.groupBy(projections, ({ runner = usual }) => runner);

export const READ_MODEL_RUNNERS: ReadonlySet<string> = new Set([READ_MODELS, DASHBOARD_READ_MODELS]);
