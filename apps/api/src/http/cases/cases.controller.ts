import { Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ListCases, publicCase, SynchronizeCases } from '#cases';
import { EventFeedOptions } from '#event-feed';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { idParam } from '../id-param.js';
import { DEFAULT_PAGE_SIZE, PageQuery } from '../validation/page.query.js';
import { caseCursor } from './case-cursor.js';

@Controller('v1/creators/:id/cases')
export class CasesController {
  constructor(
    private readonly commands: CommandBus,
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
    const creatorId = idParam('creator', id);
    await this.commands.execute(new SynchronizeCases(creatorId, scope, page.after, context));
    const { rows, nextCursor } = await this.queries.execute(new ListCases(scope.workspaceId, creatorId, page));
    const { faviconTemplate } = this.options;
    return {
      data: rows.map((row) => publicCase(row, faviconTemplate)),
      next_cursor: nextCursor,
      simulated: false,
    };
  }
}
