import { type IQueryHandler, Query, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { CreatorAccess } from '#creators';
import {
  type AgencyId,
  Clock,
  type CreatorId,
  derivedId,
  EventLog,
  eventsOf,
  type Instant,
  invalidRequest,
  notFound,
  type RecordedEvent,
  streamName,
} from '#kernel';
import { explainUsage, type Month, protectionIntervals, SWITCHES, spanOf, UsageOptions } from '#usage';
import { type Bound, boundAt, type Moment } from './moment.js';
import { type UsageDocument, usageDocument } from './usage-document.js';
import { accountBeginnings } from './visible-events.js';

export interface UsageToExplain {
  readonly agencyId: AgencyId;
  readonly month: Month;
  readonly asOf?: Moment | undefined;
  /** Only this creator's lines; the totals stay the agency's. */
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
    const bound = asOf && (await boundAt(this.log, asOf));
    const now = bound?.at ?? this.clock.now();
    const { start, end } = spanOf(month);
    if (asOf?.kind === 'time' && asOf.at > this.clock.now())
      throw invalidRequest({ field: 'as-of', message: 'must not be in the future' });
    if (start > now) throw invalidRequest({ field: 'month', message: 'must not begin after that moment' });

    const workspaceId = derivedId('workspace', agencyId);
    const switches = eventsOf(this.log, { types: new Set(SWITCHES) });
    const intervals =
      asOf?.kind === 'time'
        ? await protectionIntervals(switches, workspaceId, asOf.at)
        : await protectionIntervals(bound ? upTo(switches, bound.isNotAfter) : switches, workspaceId);
    const account = { agencyId, since: await this.accountSince(agencyId, bound) };
    const explanation = explainUsage(month, Math.min(end, now), intervals);
    return usageDocument(account, explanation, this.options.pricing, creatorId);
  }

  private async assertOfAgency(creatorId: CreatorId, agencyId: AgencyId): Promise<void> {
    const creator = (await this.creators.recorded(creatorId)).state;
    if (creator.status === 'unknown' || creator.agencyId !== agencyId)
      throw notFound('creator', `${creatorId} does not belong to ${agencyId}`);
  }

  /** When the account began; null if that was later in the log. */
  private async accountSince(id: AgencyId, bound: Bound | undefined): Promise<Instant | null> {
    const [first] = await this.log.readStream(streamName('agency', id), { limit: 1 });
    const isKnown = first !== undefined && accountBeginnings(id)(first) && bound?.isNotAfter(first) !== false;
    return isKnown ? first.metadata.at : null;
  }
}

async function* upTo(
  events: AsyncIterable<RecordedEvent>,
  isNotAfter: (event: RecordedEvent) => boolean,
): AsyncGenerator<RecordedEvent> {
  for await (const event of events) if (isNotAfter(event)) yield event;
}
