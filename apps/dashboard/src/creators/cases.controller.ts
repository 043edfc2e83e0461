import type { Readable } from 'node:stream';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CasesOfCreators, CasesOptions, caseReport, ListCases, publicCase } from '#cases';
import { LatestDeindexRequests, publicDeindexRequest } from '#deindexing';
import { DEFAULT_PAGE_SIZE, OneOf, Optional, PageQuery, requireReadable, Text } from '#http';
import { type CaseId, idFilter } from '#kernel';
import type { DashboardCase } from '../../answers/creators.js';
import type { FoundPageOf } from '../../answers/parts.js';
import { DashboardReads } from '../access/dashboard-reads.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { pagesOf, sentCsv } from '../sent-file.js';
import { FoundCreators } from './found-creators.js';

const MAX_STATUS_LENGTH = 200;
const MAX_SITE_LENGTH = 255;

class CasesQuery extends PageQuery {
  @Optional()
  @Text(MAX_STATUS_LENGTH)
  status?: string;

  @Optional()
  @OneOf('api_scan', 'svc')
  source?: 'api_scan' | 'svc';

  @Optional()
  @Text(MAX_SITE_LENGTH)
  site?: string;
}

@Controller('dashboard/api/creators/:id/cases')
export class CasesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: FoundCreators,
    private readonly cases: CasesOfCreators,
    private readonly options: CasesOptions,
  ) {}

  @Read()
  async list(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after, site, ...filter }: CasesQuery,
  ): Promise<FoundPageOf<DashboardCase>> {
    const creator = await this.creators.refresh(id, user);
    const page = { limit, after: idFilter('after', 'case', after) };
    const found = await this.cases.search(creator, { ...filter, site: site?.trim().toLowerCase() || undefined }, page);
    const requests = await this.queries.execute(new LatestDeindexRequests(found.cases.map(({ caseId }) => caseId)));
    const data = found.cases.map((row) => {
      const shown = publicCase(row, this.options.faviconTemplate);
      const { id: caseId, url, domain, status_code: status, source, created_at, available } = shown;
      const request = requests.get(row.caseId);
      return {
        ...{ id: caseId, url, site: domain, source, first_seen_at: created_at },
        status: available ? status : 'gone',
        deindex_request: request === undefined ? null : publicDeindexRequest(request),
      };
    });
    requireReadable(data, user.context.correlationId);
    return { data, next_cursor: found.nextCursor, searched_until: found.searchedUntil };
  }
}

/** Keeps the time of a page to a few milliseconds, even with the largest texts. */
const CASES_PER_PAGE = 100;

/** All known cases of a creator as one CSV file (D52). */
@Controller('dashboard/api/creators/:id/cases/file')
export class CaseFileController {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: FoundCreators,
    private readonly options: CasesOptions,
    private readonly reads: DashboardReads,
  ) {}

  @Read()
  async file(
    @CurrentUser() user: DashboardSession,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const { creatorId } = await this.creators.refresh(id, user);
    const header = caseReport([]);
    const read = (after: CaseId | undefined) =>
      this.reads.part(user, async () => {
        const page = { limit: CASES_PER_PAGE, ...(after !== undefined && { after }) };
        const { items, nextCursor } = await this.queries.execute(new ListCases(user.workspaceId, creatorId, page));
        const cases = items.map((row) => publicCase(row, this.options.faviconTemplate));
        requireReadable(cases, user.context.correlationId);
        const text = caseReport(cases);
        return { text: after === undefined ? text : text.slice(header.length), next: nextCursor };
      });
    return sentCsv(reply, `cases-${creatorId}.csv`, pagesOf(read));
  }
}
