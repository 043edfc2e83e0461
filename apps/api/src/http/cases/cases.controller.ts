import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { publicCase } from '#cases';
import { EventFeedOptions } from '#event-feed';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { idParam } from '../id-param.js';
import { DEFAULT_PAGE_SIZE, PageQuery } from '../validation/page.query.js';
import { caseCursor } from './case-cursor.js';
import { type CasePage, ListCases } from './list-cases.js';

@Controller('v1/creators/:id/cases')
export class CasesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly options: EventFeedOptions,
  ) {}

  @Get()
  @Operation({
    summary: "A creator's findings, in step with the native leak records; ordered by id.",
    label: '0.2.0',
    scopes: ['cases:read'],
    answers: { 200: 'CasePage' },
    errors: ['not_found'],
    id: 'crt',
  })
  async list(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ) {
    const page = { limit, ...caseCursor(after) };
    const { rows, nextCursor } = await this.queries.execute<ListCases, CasePage>(
      new ListCases(idParam('creator', id), scope, page, context),
    );
    const { faviconTemplate } = this.options;
    return {
      data: rows.map((row) => publicCase(row, faviconTemplate)),
      next_cursor: nextCursor,
      simulated: false,
    };
  }
}
