import { type Document, type Instant, projection, type WorkspaceId } from '#kernel';
import type { OpenInterval, UsageMeterEvent } from '../domain/usage-meter.js';

export interface UsageOpening extends Document, OpenInterval {
  readonly workspaceId: WorkspaceId;
  readonly from: Instant;
}

export const usageOpeningsProjection = projection<UsageOpening, UsageMeterEvent>({
  name: 'usage_openings',
  version: 1,
  indexes: [{ name: 'from', fields: ['workspaceId', 'from'] }],
  on: {
    'usageMeter.meteringStarted.v1': {
      documents: ({ data }) => data.creatorId,
      fold: (_, { data: { creatorId, workspaceId, from, isCounted } }) => ({
        id: creatorId,
        workspaceId,
        from,
        isCounted,
      }),
    },
    'usageMeter.meteringStopped.v1': { documents: ({ data }) => data.creatorId, fold: () => undefined },
  },
});
