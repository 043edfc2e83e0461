import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListDeindexRequests, publicDeindexRequest } from '#deindexing';
import { DEFAULT_PAGE_SIZE, PageQuery } from '#http';
import { DomainError, EventLog, invalidRequest, nextPart, type StreamName, streamName } from '#kernel';
import { ListScans, publicScan } from '#scans';
import { ListProtectionIntervals } from '#usage';
import type {
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalAnswer,
  TimelineEvent,
} from '../../answers/creators.js';
import type { PageOf } from '../../answers/parts.js';
import { ActorNames } from '../access/actor-names.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { pageOf } from '../lists.js';
import { actorsOf, FoundCreators, shownSwitch } from './found-creators.js';

/** Reading one of the largest events takes a millisecond. */
const EVENTS_PER_PART = 25;

@Controller('dashboard/api/creators/:id')
export class CreatorHistoryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: FoundCreators,
    private readonly log: EventLog,
    private readonly actors: ActorNames,
  ) {}

  /** The events of the creator's own stream, the newest first. */
  @Read('timeline')
  async timeline(@CurrentUser() user: DashboardSession, @Param('id') id: string, @Query() page: PageQuery) {
    const { creatorId } = await this.creators.refresh(id, user);
    return this.pageOf(streamName('creator', creatorId), user, page);
  }

  /** The events of a scan, case, deindex request or impersonation of the creator, the newest first. */
  @Read('records/:record')
  async record(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Param('record') record: string,
    @Query() page: PageQuery,
  ) {
    const { creatorId } = await this.creators.refresh(id, user);
    const found = await this.creators.record(record);
    if (found?.creatorId !== creatorId) throw new DomainError('not_found');
    return this.pageOf(found.stream, user, page);
  }

  /** The intervals of active protection, the newest first. */
  @Read('intervals')
  async intervals(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Query() page: PageQuery,
  ): Promise<PageOf<ProtectionIntervalAnswer>> {
    const { creatorId, workspaceId } = await this.creators.refresh(id, user);
    const intervals = await this.queries.execute(new ListProtectionIntervals(workspaceId, creatorId));
    const all = intervals.toReversed().map((interval) => ({ id: interval.opened.eventId, ...interval }));
    const { data, next_cursor } = pageOf(all, page);
    const named = await this.actors.of(user, actorsOf(data));
    const shown = data.map(({ id: intervalId, opened, closed }) => ({
      id: intervalId,
      opened_by: shownSwitch(opened, named),
      closed_by: closed && shownSwitch(closed, named),
    }));
    return { data: shown, next_cursor };
  }

  @Read('scans')
  async scans(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<PageOf<DashboardScan>> {
    const { creatorId } = await this.creators.refresh(id, user);
    const { items, nextCursor } = await this.queries.execute(new ListScans(creatorId, { limit, after }));
    return { data: items.map(publicScan), next_cursor: nextCursor };
  }

  @Read('deindex-requests')
  async deindexRequests(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<PageOf<DashboardDeindexRequest>> {
    const { creatorId } = await this.creators.refresh(id, user);
    const { items, nextCursor } = await this.queries.execute(new ListDeindexRequests(creatorId, { limit, after }));
    return { data: items.map(publicDeindexRequest), next_cursor: nextCursor };
  }

  private async pageOf(
    stream: StreamName,
    user: DashboardSession,
    { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<PageOf<TimelineEvent>> {
    const data: Omit<TimelineEvent, 'actor_name'>[] = [];
    let next = after === undefined ? undefined : revisionBefore(after);
    while (data.length < limit && (next === undefined || next >= 0)) {
      await nextPart();
      const from = next === undefined ? {} : { from: next };
      const most = Math.min(EVENTS_PER_PART, limit - data.length);
      const events = await this.log.readStream(stream, { direction: 'backwards', limit: most, ...from });
      for (const { id, type, metadata } of events) {
        data.push({ id, type, at: metadata.at, actor: metadata.actor, request_id: metadata.correlationId });
      }
      next = (events.at(-1)?.revision ?? 0) - 1;
    }
    const named = await this.actors.of(
      user,
      data.map(({ actor }) => actor),
    );
    const shown = data.map((event) => ({ ...event, ...named(event.actor) }));
    return { data: shown, next_cursor: next === undefined || next < 0 ? null : String(next + 1) };
  }
}

const revisionBefore = (cursor: string): number => {
  if (!/^\d{1,15}$/.test(cursor)) throw invalidRequest({ field: 'after', message: 'must be a cursor of this list' });
  return Number(cursor) - 1;
};
