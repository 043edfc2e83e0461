import type { Readable } from 'node:stream';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CasesOptions, caseReport, ListCases, publicCase } from '#cases';
import {
  ENROLLMENT_STATUSES,
  type EnrolledCreator,
  fullPublicCreator,
  ListCreators,
  PROTECTION_STATUSES,
} from '#creators';
import { DEFAULT_PAGE_SIZE, OneOf, Optional, PageQuery, requireReadable } from '#http';
import { type CaseId, Clock, type CreatorId } from '#kernel';
import { DashboardReads } from '../access/dashboard-reads.js';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { sentCsv } from '../sent-file.js';
import type { DashboardCreator, DashboardCreatorAnswer, DashboardCreatorsAnswer } from './answers.js';
import { SeenCreators } from './found-creators.js';

const MAX_COUNTED_CASES = 2_000;

class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];
}

/** The roster with its invitees, and one creator. */
@Controller('dashboard/api/creators')
export class DashboardCreatorsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly seen: SeenCreators,
    private readonly clock: Clock,
  ) {}

  @Read()
  async list(
    @Visitor() { workspaceId }: Visit,
    @Query() { enrollment_status, protection_status, limit = DEFAULT_PAGE_SIZE, after }: CreatorsQuery,
  ): Promise<DashboardCreatorsAnswer> {
    const filter = { enrollment: enrollment_status, protection: protection_status };
    const { items, nextCursor } = await this.queries.execute(new ListCreators(workspaceId, filter, { limit, after }));
    return { data: items.map((creator) => this.row(creator)), next_cursor: nextCursor };
  }

  @Read(':id')
  async one(@Visitor() visit: Visit, @Param('id') id: string): Promise<DashboardCreatorAnswer> {
    const creator = await this.seen.see(id, visit);
    const { workspaceId } = visit;
    const counted = new ListCases(workspaceId, creator.creatorId, { limit: MAX_COUNTED_CASES });
    const { rows, nextCursor } = await this.queries.execute(counted);
    const counts = Map.groupBy(rows, ({ available, finding }) => (available ? finding.statusCode : 'gone'));
    const shown = fullPublicCreator(creator, this.clock.now());
    return {
      ...this.row(creator),
      aliases: shown.aliases,
      profile_urls: shown.profile_urls,
      identity_sync_pending: shown.identity_sync_pending,
      authorization: shown.authorization,
      entitlement_active: shown.entitlement.active,
      cases: [...counts].map(([status_code, found]) => ({ status_code, count: found.length })),
      has_more_cases: nextCursor !== null,
    };
  }

  private row(creator: EnrolledCreator): DashboardCreator {
    const shown = fullPublicCreator(creator, this.clock.now());
    const { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at } =
      shown;
    return { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at };
  }
}

/** Limits the time of a page to some milliseconds, even with the largest texts. */
const CASES_PER_PAGE = 100;

/** All cases of a creator that are known, as one CSV file for a spreadsheet (D52). */
@Controller('dashboard/api/creators/:id/cases/file')
export class CaseFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly seen: SeenCreators,
    private readonly options: CasesOptions,
    private readonly reads: DashboardReads,
  ) {}

  @Read()
  async file(
    @Visitor() visit: Visit,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const creator = await this.seen.see(id, visit);
    const pages = this.pages(visit, creator.creatorId);
    return sentCsv(reply, `cases-${creator.creatorId}.csv`, pages);
  }

  private async *pages(visit: Visit, creatorId: CreatorId): AsyncGenerator<string> {
    const { workspaceId, context } = visit;
    const header = caseReport([]);
    yield header;
    for (let after: CaseId | undefined; ; ) {
      const list = new ListCases(workspaceId, creatorId, {
        limit: CASES_PER_PAGE,
        ...(after !== undefined && { after }),
      });
      const { records, next } = await this.reads.part(visit, async () => {
        const { rows, nextCursor } = await this.queries.execute(list);
        const cases = rows.map((row) => publicCase(row, this.options.faviconTemplate));
        requireReadable(cases, context.correlationId);
        return { records: caseReport(cases).slice(header.length), next: nextCursor };
      });
      yield records;
      if (next === null) return;
      after = next;
    }
  }
}
