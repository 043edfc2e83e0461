import { type CreatorId, type Document, type Instant, projection, type WorkspaceId } from '#kernel';
import { DASHBOARD_READ_MODELS, type ReadModel } from '#projections';
import { type Month, monthOf, monthsOf, spanOf } from '../domain/month.js';
import type { UsageMeterEvent } from '../domain/usage-meter.js';

/** A creator's interval of active time, as far as it lies in one month. An open one is only in the month of its start. */
export interface UsageInterval extends Document {
  readonly workspaceId: WorkspaceId;
  readonly creatorId: CreatorId;
  readonly month: Month;
  readonly isOpen: 0 | 1;
  /** Not clipped to the month. */
  readonly from: Instant;
  /** Null while it lasts. */
  readonly to: Instant | null;
}

const idOf = (creatorId: CreatorId, from: Instant, month: Month): string => `${creatorId}:${from}:${month}`;

export const usageIntervalsProjection = projection<UsageInterval, UsageMeterEvent>({
  name: 'usage_intervals',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [
    { name: 'month', fields: ['workspaceId', 'month', 'creatorId', 'from', 'to'] },
    { name: 'open', fields: ['workspaceId', 'isOpen', 'creatorId', 'from'] },
  ],
  on: {
    'usageMeter.meteringStarted.v1': {
      documents: ({ data: { creatorId, from } }) => idOf(creatorId, from, monthOf(from)),
      fold: (_, { data: { workspaceId, creatorId, from } }, id) => ({
        id,
        workspaceId,
        creatorId,
        month: monthOf(from),
        isOpen: 1,
        from,
        to: null,
      }),
    },
    'usageMeter.meteringStopped.v1': {
      documents: ({ data: { creatorId, from, to } }) => monthsOf(from, to).map((month) => idOf(creatorId, from, month)),
      fold: (_, { data: { workspaceId, creatorId, from, to } }, id) => {
        // The id ends with its month.
        const month = id.slice(-7) as Month;
        return Math.max(from, spanOf(month).start) < to
          ? { id, workspaceId, creatorId, month, isOpen: 0, from, to }
          : undefined;
      },
    },
  },
});

/** What an index of the intervals has of one. */
export type Entry = Pick<UsageInterval, 'id' | 'creatorId' | 'from'> & { readonly to?: Instant | null };

/** Entries in the order of their creators. */
interface EntryRange {
  readonly limit: number;
  /** The creator after which they begin. */
  readonly gt?: string;
}

/** The indexes contain every field that is read of an interval, so that no document is read. */
export class UsageIntervals {
  constructor(private readonly intervals: ReadModel<UsageInterval>) {}

  /** Those that last, of all months. */
  open(workspaceId: WorkspaceId, range: EntryRange): Promise<Entry[]> {
    return this.intervals.findEntries<'creatorId' | 'from'>({ index: 'open', equals: [workspaceId, 1], ...range });
  }

  /** Those in the month, but for open ones that began in an earlier one. */
  ofMonth(workspaceId: WorkspaceId, month: Month, range: EntryRange): Promise<Entry[]> {
    return this.inMonth([workspaceId, month], range);
  }

  ofCreator(workspaceId: WorkspaceId, month: Month, creatorId: CreatorId, limit: number): Promise<Entry[]> {
    return this.inMonth([workspaceId, month, creatorId], { limit });
  }

  private inMonth(equals: readonly string[], range: EntryRange): Promise<Entry[]> {
    return this.intervals.findEntries<'creatorId' | 'from' | 'to'>({ index: 'month', equals, ...range });
  }
}
