import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListDeindexRequests, publicDeindexRequest } from '#deindexing';
import { DEFAULT_PAGE_SIZE, PageQuery } from '#http';
import {
  DomainError,
  EventLog,
  invalidRequest,
  nextPart,
  type RecordedEvent,
  type StreamName,
  streamName,
} from '#kernel';
import { ListScans, publicScan } from '#scans';
import { ListProtectionIntervals } from '#usage';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import type { PageOf } from '../answers.js';
import type {
  DashboardDeindexRequest,
  DashboardScan,
  ProtectionIntervalsAnswer,
  TimelineAnswer,
  TimelineEvent,
} from './answers.js';
import { RecordsOfCreators, SeenCreators } from './found-creators.js';
import { shownSwitch } from './protection-switch.js';

const MAX_INTERVALS = 100;
/** Reading the largest events takes a millisecond each. */
const EVENTS_PER_PART = 25;

/** What has happened to a creator. */
@Controller('dashboard/api/creators/:id')
export class CreatorHistoryController {
  constructor(
    private readonly queries: QueryBus,
    private readonly seen: SeenCreators,
    private readonly records: RecordsOfCreators,
    private readonly log: EventLog,
  ) {}

  /** The events of the creator's own stream, the newest first. */
  @Read('timeline')
  async timeline(@Visitor() visit: Visit, @Param('id') id: string, @Query() page: PageQuery): Promise<TimelineAnswer> {
    const creator = await this.seen.see(id, visit);
    return this.pageOf(streamName('creator', creator.creatorId), page);
  }

  /** The events of a scan, case, deindex request or impersonation of the creator, the newest first. */
  @Read('records/:record')
  async record(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Param('record') record: string,
    @Query() page: PageQuery,
  ): Promise<TimelineAnswer> {
    const creator = await this.seen.see(id, visit);
    const found = await this.records.find(record);
    if (found?.creatorId !== creator.creatorId) throw new DomainError('not_found');
    return this.pageOf(found.stream, page);
  }

  /** The latest intervals, the newest first. */
  @Read('intervals')
  async intervals(@Visitor() visit: Visit, @Param('id') id: string): Promise<ProtectionIntervalsAnswer> {
    const creator = await this.seen.see(id, visit);
    const { creatorId, workspaceId } = creator;
    const intervals = await this.queries.execute(new ListProtectionIntervals(workspaceId, creatorId));
    return {
      data: intervals
        .slice(-MAX_INTERVALS)
        .toReversed()
        .map(({ opened, closed }) => ({
          from: opened.at,
          to: closed?.at ?? null,
          opened_by: shownSwitch(opened),
          closed_by: closed && shownSwitch(closed),
        })),
    };
  }

  @Read('scans')
  async scans(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<PageOf<DashboardScan>> {
    const creator = await this.seen.see(id, visit);
    const { items, nextCursor } = await this.queries.execute(new ListScans(creator.creatorId, { limit, after }));
    return { data: items.map(publicScan), next_cursor: nextCursor };
  }

  @Read('deindex-requests')
  async deindexRequests(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<PageOf<DashboardDeindexRequest>> {
    const creator = await this.seen.see(id, visit);
    const query = new ListDeindexRequests(creator.creatorId, { limit, after });
    const { items, nextCursor } = await this.queries.execute(query);
    return { data: items.map(publicDeindexRequest), next_cursor: nextCursor };
  }

  private async pageOf(stream: StreamName, page: PageQuery): Promise<TimelineAnswer> {
    const { limit = DEFAULT_PAGE_SIZE, after } = page;
    const data: TimelineEvent[] = [];
    let next = after === undefined ? undefined : revisionBefore(after);
    while (data.length < limit && (next === undefined || next >= 0)) {
      await nextPart();
      const from = next === undefined ? {} : { from: next };
      const most = Math.min(EVENTS_PER_PART, limit - data.length);
      const events = await this.log.readStream(stream, { direction: 'backwards', limit: most, ...from });
      data.push(...events.map(timelineEvent));
      next = (events.at(-1)?.revision ?? 0) - 1;
    }
    return { data, next_cursor: next === undefined || next < 0 ? null : String(next + 1) };
  }
}

const timelineEvent = ({ id, type, metadata: { at, actor, correlationId } }: RecordedEvent): TimelineEvent => ({
  id,
  type,
  at,
  actor,
  request_id: correlationId,
});

const revisionBefore = (cursor: string): number => {
  if (!/^\d{1,15}$/.test(cursor)) throw invalidRequest({ field: 'after', message: 'is no cursor of this list' });
  return Number(cursor) - 1;
};
