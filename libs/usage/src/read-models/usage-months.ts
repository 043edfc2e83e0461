import { type Document, type Instant, projection, type WorkspaceId } from '#kernel';
import { type Month, monthOf, monthsOf, spanOf, splitByMonth } from '../domain/month.js';
import type { MonthSums } from '../domain/usage-explanation.js';
import type { UsageMeterEvent } from '../domain/usage-meter.js';

export interface UsageMonth extends Document, MonthSums {
  readonly workspaceId: WorkspaceId;
  /** The latest time in these sums: another creator's may come later in the log, at an earlier time. */
  readonly metered: Instant;
}

const idOf = (workspaceId: WorkspaceId, month: Month): string => `${workspaceId}:${month}`;

const empty = (workspaceId: WorkspaceId, id: string): UsageMonth => ({
  id,
  workspaceId,
  // The id ends with its month.
  month: id.slice(-7) as Month,
  closed: 0,
  creators: 0,
  open: 0,
  openOffsets: 0,
  openCounted: 0,
  metered: 0,
});

const withOpen = (usage: UsageMonth, from: Instant, isCounted: boolean, by: 1 | -1): UsageMonth => ({
  ...usage,
  open: usage.open + by,
  openOffsets: usage.openOffsets + by * (from - spanOf(usage.month).start),
  openCounted: usage.openCounted + by * Number(isCounted),
});

export const usageMonthsProjection = projection<UsageMonth, UsageMeterEvent>({
  name: 'usage_months',
  version: 3,
  indexes: [{ name: 'month', fields: ['workspaceId', 'month'] }],
  on: {
    'usageMeter.meteringStarted.v1': {
      documents: ({ data }) => idOf(data.workspaceId, monthOf(data.from)),
      fold: (usage, { data, metadata }, id) => {
        const before = usage ?? empty(data.workspaceId, id);
        return {
          ...withOpen(before, data.from, data.isCounted, 1),
          metered: Math.max(before.metered, metadata.at, data.from),
        };
      },
    },
    'usageMeter.meteringStopped.v1': {
      documents: ({ data: { workspaceId, from, to } }) => monthsOf(from, to).map((month) => idOf(workspaceId, month)),
      fold: (usage, { data, metadata }, id) => {
        const before = usage ?? empty(data.workspaceId, id);
        const { month } = before;
        const share = splitByMonth(data.from, data.to).find((candidate) => candidate.month === month);
        const after = monthOf(data.from) === month ? withOpen(before, data.from, data.isCounted, -1) : before;
        return {
          ...after,
          closed: after.closed + (share?.length ?? 0),
          creators: after.creators + Number(data.newMonths.includes(month)),
          metered: Math.max(before.metered, metadata.at, data.to),
        };
      },
    },
  },
});
