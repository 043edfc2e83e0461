import {
  type CreatorId,
  type Document,
  type Instant,
  nextPart,
  projection,
  type RangeQuery,
  type WorkspaceId,
} from '#kernel';
import type { ReadModel } from '#projections';
import { type Month, monthOf, monthsOf, spanOf } from '../domain/month.js';
import type { ProtectionInterval } from '../domain/protection-intervals.js';
import type { IntervalEnd } from '../domain/usage-explanation.js';
import type { UsageMeterEvent } from '../domain/usage-meter.js';

/** A creator's interval of active time, as far as it lies in one month. An open one is only in the month of its start. */
export interface UsageInterval extends Document {
  readonly workspaceId: WorkspaceId;
  readonly creatorId: CreatorId;
  readonly month: Month;
  readonly isOpen: 0 | 1;
  /** Not clipped to the month. */
  readonly from: Instant;
  readonly to: Instant | null;
}

const idOf = (creatorId: CreatorId, from: Instant, month: Month): string => `${creatorId}:${from}:${month}`;

export const usageIntervalsProjection = projection<UsageInterval, UsageMeterEvent>({
  name: 'usage_intervals',
  version: 2,
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

const STEP = 2_000;

/** The indexes contain every field that is read of an interval, so that no document is read. */
export class UsageIntervals {
  constructor(private readonly intervals: ReadModel<UsageInterval>) {}

  /** The intervals of a month, in steps that have all of some creators, in the order of their ids, after that one. */
  async *ofMonth(
    workspaceId: WorkspaceId,
    month: Month,
    after = '',
  ): AsyncGenerator<ProtectionInterval<IntervalEnd>[]> {
    for (let range: Range = { gt: after }; ; ) {
      await nextPart();
      // Open ones first: an interval that ends between the two reads is in both, not in neither.
      const open = await this.find({ index: 'open', equals: [workspaceId, 1], ...range, limit: STEP });
      const own = await this.find({ index: 'month', equals: [workspaceId, month], ...range, limit: STEP });
      // A creator may have more entries than were read.
      const [cut] = [open, own]
        .flatMap((entries) => (entries.length < STEP ? [] : entries.slice(-1)))
        .map(({ creatorId }) => creatorId)
        .sort();
      const read = intervalsOf(month, open, own).filter(({ creatorId }) => cut === undefined || creatorId < cut);
      if (read.length > 0 || cut === undefined) yield read;
      else yield await this.ofCreator(workspaceId, month, cut);
      if (cut === undefined) return;
      range = read.length > 0 ? { gte: cut } : { gt: cut };
    }
  }

  private async ofCreator(workspaceId: WorkspaceId, month: Month, creatorId: CreatorId) {
    const open = await this.find({ index: 'open', equals: [workspaceId, 1, creatorId], limit: STEP });
    const own: Entry[] = [];
    for (;;) {
      await nextPart();
      const rest = { gt: own.at(-1)?.from ?? -1, limit: STEP };
      const part = await this.find({ index: 'month', equals: [workspaceId, month, creatorId], ...rest });
      own.push(...part);
      if (part.length < STEP) break;
    }
    return intervalsOf(month, open, own);
  }

  private find(query: RangeQuery): Promise<Entry[]> {
    return this.intervals.findEntries<'creatorId' | 'from' | 'to'>(query);
  }
}

type Range = Pick<RangeQuery, 'gt' | 'gte'>;
type Entry = Pick<UsageInterval, 'creatorId' | 'from'> & Partial<Pick<UsageInterval, 'to'>>;

const keyOf = ({ creatorId, from }: Entry): string => `${creatorId}:${from}`;

const intervalsOf = (month: Month, open: readonly Entry[], own: readonly Entry[]) => {
  const ended = new Set(own.map(keyOf));
  const earlier = open.filter((entry) => entry.from < spanOf(month).start && !ended.has(keyOf(entry)));
  return [...own, ...earlier].map(intervalOf);
};

const intervalOf = ({ creatorId, from, to = null }: Entry): ProtectionInterval<IntervalEnd> => ({
  creatorId,
  opened: { at: from },
  closed: to === null ? null : { at: to },
});
