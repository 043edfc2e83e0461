import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import {
  CasesOptions,
  caseReport,
  FetchActivity,
  ListCases,
  publicActivity,
  publicCase,
  SynchronizeCases,
} from '#cases';
import {
  type Access,
  Caller,
  Cursor,
  cursorParam,
  DEFAULT_PAGE_SIZE,
  idParam,
  MAX_PAGE_SIZE,
  Optional,
  PageQuery,
  PageSize,
  requireReadable,
} from '#http';
import { Clock, type Instant, parseId } from '#kernel';
import type { WrappingKeys } from '#personal-data';
import { ACTIVITY_CURSOR_KEYS } from '../../../service/src/tokens.js';
import { ActivityCursors, nextMarkedCursor, platformCursor } from './activity-cursors.js';
import { ACTIVITY, CASE, EXAMPLE, pageOf } from './resources.examples.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const LIST_CASES: OperationOptions = {
  tag: 'Cases',
  summary: "A creator's findings, synchronized with the platform's leak records, ordered by id.",
  description: `Manual, scheduled and historical findings, and those of API scans. A request without \`after\` first reads what has changed at the
platform. A page may have fewer items than \`limit\`, or none, and still a \`next_cursor\`; follow it until it is null.`,
  apiVersion: '0.2.0',
  scopes: ['cases:read'],
  answers: { 200: answer('A page of findings.', 'CasePage', pageOf(CASE, CASE.id)) },
  errors: ['not_found'],
  id: 'creator',
};

const LIST_ACTIVITY: OperationOptions = {
  tag: 'Cases',
  summary: 'Detections, recorded notices and removals, newest first.',
  description: `\`leak.status\` is the status of now, with the basis \`record_updated\`; it is no exact time of a change. The records do not reconstruct every
earlier status.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: { 200: answer('A page of the history.', 'ActivityPage', pageOf(ACTIVITY, null)) },
  errors: ['not_found'],
  id: 'creator',
};

const GET_REPORT: OperationOptions = {
  tag: 'Cases',
  summary: "The creator's cases as CSV, at most 100 rows a page.",
  description: `The first row of each page has the names of the columns. Cells are quoted, and an apostrophe precedes each value that a spreadsheet would run as a
formula. \`X-Next-Cursor\` is the \`after\` of the next page. Records can change between pages, so remove duplicates by \`id\`.`,
  apiVersion: '0.8.0',
  scopes: ['cases:read'],
  answers: {
    200: {
      description: `A page of CSV, such as \`cases-${EXAMPLE.creatorId}-2026-11-25.csv\`.`,
      csv: caseReport([CASE]),
    },
  },
  errors: ['not_found'],
  id: 'creator',
};

/** D52: by default, a page of the report has the maximum length. */
const DEFAULT_REPORT_PAGE_SIZE = MAX_PAGE_SIZE;

class ReportQuery extends PageQuery {
  @Optional()
  @PageSize(MAX_PAGE_SIZE, DEFAULT_REPORT_PAGE_SIZE)
  override limit?: number;
}

/** Enough for the platform's longest cursor with its mark and its code. */
const MAX_CURSOR_LENGTH = 6_000;

class ActivityQuery extends PageQuery {
  @Optional()
  @Cursor(MAX_CURSOR_LENGTH)
  override after?: string;
}

@Controller('v1/creators/:id')
export class CasesController {
  private readonly cursors: ActivityCursors;

  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly options: CasesOptions,
    private readonly clock: Clock,
    @Inject(ACTIVITY_CURSOR_KEYS) keys: WrappingKeys,
  ) {
    this.cursors = new ActivityCursors(keys);
  }

  @Get('cases')
  @Operation(LIST_CASES)
  async listCases(
    @Caller() access: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ) {
    const { cases, nextCursor } = await this.page(id, access, limit, after);
    return { data: cases, next_cursor: nextCursor, simulated: false };
  }

  @Get('report')
  @Operation(GET_REPORT)
  async getReport(
    @Caller() access: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_REPORT_PAGE_SIZE, after }: ReportQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { cases, nextCursor } = await this.page(id, access, limit, after);
    requireReadable(cases, access.context.correlationId);
    // Not set by decorators, because those would set the headers for errors too.
    reply.header('content-type', 'text/csv; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="${fileName(id, this.clock.now())}"`);
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor);
    return caseReport(cases);
  }

  @Get('activity')
  @Operation(LIST_ACTIVITY)
  async listActivity(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: ActivityQuery,
  ) {
    const { after: marked } = cursorParam(after, (text) => this.cursors.open(id, text));
    const creatorId = idParam('creator', id);
    const page = { limit, ...(marked !== undefined && { cursor: platformCursor(marked) }) };
    const { records, nextCursor } = await this.commands.execute(new FetchActivity(creatorId, scope, page, context));
    return {
      data: records.map(publicActivity),
      next_cursor: nextCursor === null ? null : this.cursors.seal(creatorId, nextMarkedCursor(marked, nextCursor)),
      simulated: false,
    };
  }

  /** A page of the creator's cases, the same as JSON and as CSV. */
  private async page(id: string, { scope, context }: Access, limit: number, cursor: string | undefined) {
    const page = { limit, ...cursorParam(cursor, (text) => parseId('case', text)) };
    const creatorId = idParam('creator', id);
    await this.commands.execute(new SynchronizeCases(creatorId, scope, page.after, context));
    const { items, nextCursor } = await this.queries.execute(new ListCases(scope.workspaceId, creatorId, page));
    return { cases: items.map((row) => publicCase(row, this.options.faviconTemplate)), nextCursor };
  }
}

/** `id` is a well-formed creator id, so it needs no escaping. */
const fileName = (id: string, now: Instant): string => `cases-${id}-${new Date(now).toISOString().slice(0, 10)}.csv`;
