import { Injectable } from '@nestjs/common';
import type { Duration, Instant, WorkspaceId } from '#kernel';
import { type ReadModel, ReadModels } from '#projections';
import { type Month, spanOf } from '../domain/month.js';
import { type UsageMonth, usageMonthsProjection } from './usage-months.js';
import { type UsageOpening, usageOpeningsProjection } from './usage-openings.js';

/** A month's figures, exact to the millisecond. */
export interface UsageFigures {
  readonly active: Duration;
  /** Creators with any active time in the month. */
  readonly creators: number;
  /** The latest time of the events in the figures; 0 where there is none. */
  readonly metered: Instant;
}

/** More than there could be of a workspace. */
const ALL_MONTHS = 1_200;
/** More than there are intervals that begin while figures are read. */
const MAX_OPENINGS = 1_000;

/** Adds up usage: the month's own document, and one for each month since which anything is open. */
@Injectable()
export class UsageReader {
  private readonly months: ReadModel<UsageMonth>;
  private readonly openings: ReadModel<UsageOpening>;

  constructor(readModels: ReadModels) {
    this.months = readModels.of(usageMonthsProjection);
    this.openings = readModels.of(usageOpeningsProjection);
  }

  /** `through` lies within the month or at its end; creators count with more than zero milliseconds (D81). */
  async figures(workspaceId: WorkspaceId, month: Month, through: Instant): Promise<UsageFigures> {
    // One read of all of them: between two reads, an interval that ends could be in neither.
    const months = await this.months.find({ index: 'open', equals: [workspaceId], limit: ALL_MONTHS });
    const own = months.find((candidate) => candidate.month === month);
    let active = own?.closed ?? 0;
    let creators = own?.creators ?? 0;
    let metered = own?.metered ?? 0;
    const { start } = spanOf(month);
    for (const since of months) {
      if (since.open === 0 || since.month > month) continue;
      metered = Math.max(metered, since.metered);
      const isOwn = since.month === month;
      active += since.open * (through - start) - (isOwn ? since.openOffsets : 0);
      // At the month's beginning what is open since an earlier one has no time in it yet.
      if (isOwn || through > start) creators += since.open - (isOwn ? since.openCounted : 0);
    }
    const late = await this.openedFrom(workspaceId, through, spanOf(month).end);
    for (const { from, isCounted } of late) {
      // Metered since the months were read: it is in none of their figures.
      if (from > (own?.metered ?? 0)) continue;
      // Not yet begun at `through`: taken out again, with what it added.
      active -= through - from;
      creators -= Number(!isCounted);
    }
    return { active, creators, metered };
  }

  private async openedFrom(workspaceId: WorkspaceId, through: Instant, end: Instant): Promise<UsageOpening[]> {
    if (through >= end) return [];
    return this.openings.find({ index: 'from', equals: [workspaceId], gte: through, lt: end, limit: MAX_OPENINGS });
  }
}
