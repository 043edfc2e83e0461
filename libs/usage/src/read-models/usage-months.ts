import { type Document, type Duration, type Instant, projection, type WorkspaceId } from '#kernel';
import { type Month, monthOf, monthsOf, spanOf, splitByMonth } from '../domain/month.js';
import type { UsageMeterEvent } from '../domain/usage-meter.js';

/** What has been metered of a month, and what is open since it. */
export interface UsageMonth extends Document {
  readonly workspaceId: WorkspaceId;
  readonly month: Month;
  /** Time of closed intervals within the month, in milliseconds. */
  readonly closed: Duration;
  readonly creators: number;
  readonly open: number;
  /** The sum of their beginnings, each counted from the month's start: small numbers, so exact. */
  readonly openOffsets: Duration;
  /** Those whose creator is among `creators` already. */
  readonly openCounted: number;
  /** 1 while any is open: where a reader finds these months without looking through all. */
  readonly hasOpen: 0 | 1;
  /** The latest time in these figures: another creator's may come later in the log, at an earlier time. */
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
  hasOpen: 0,
  metered: 0,
});

/** One interval more, or one less, is open since its month. */
const withOpen = (usage: UsageMonth, from: Instant, isCounted: boolean, by: 1 | -1): UsageMonth => {
  const open = usage.open + by;
  return {
    ...usage,
    open,
    openOffsets: usage.openOffsets + by * (from - spanOf(usage.month).start),
    openCounted: usage.openCounted + by * Number(isCounted),
    hasOpen: open > 0 ? 1 : 0,
  };
};

export const usageMonthsProjection = projection<UsageMonth, UsageMeterEvent>({
  name: 'usage_months',
  version: 2,
  indexes: [{ name: 'open', fields: ['workspaceId', 'hasOpen'] }],
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
