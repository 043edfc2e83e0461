import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { CreatorAccess } from '#creators';
import { type AgencyId, Clock, type CreatorId, EventLog, eventsOf, notFound } from '#kernel';
import { type Month, UsageOptions } from '#usage';
import type { Moment } from './moment.js';
import { type UsageDocument, usageDocument } from './usage-document.js';
import { ACCOUNTED, viewFrom, visibleEventsOf } from './visible-events.js';

export interface UsageToExplain {
  readonly agencyId: AgencyId;
  readonly month: Month;
  readonly asOf?: Moment | undefined;
  /** Only this creator's lines; the totals are still the agency's. */
  readonly creatorId?: CreatorId | undefined;
}

/** The month as `GET /v1/usage` answers it at that point of the log, and the events behind it. */
export class ExplainUsage extends Query<UsageDocument> {
  constructor(readonly usage: UsageToExplain) {
    super();
  }
}

@QueryHandler(ExplainUsage)
export class ExplainUsageHandler implements IQueryHandler<ExplainUsage> {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: CreatorAccess,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly options: UsageOptions,
  ) {}

  async execute({ usage: { agencyId, month, asOf, creatorId } }: ExplainUsage): Promise<UsageDocument> {
    await this.queries.execute(new GetBinding(agencyId));
    if (creatorId !== undefined) await this.assertOfAgency(creatorId, agencyId);
    const view = await viewFrom(this.log, asOf, month, this.clock.now());
    const { intervals, since } = await visibleEventsOf(eventsOf(this.log, { types: ACCOUNTED }), view, agencyId);
    return usageDocument({ agencyId, month, at: view.at, intervals, since }, this.options.pricing, creatorId);
  }

  private async assertOfAgency(creatorId: CreatorId, agencyId: AgencyId): Promise<void> {
    const creator = (await this.creators.recorded(creatorId)).state;
    if (creator.status === 'unknown' || creator.agencyId !== agencyId)
      throw notFound('creator', `${creatorId} does not belong to ${agencyId}`);
  }
}
