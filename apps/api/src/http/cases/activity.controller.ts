import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FetchActivity, publicActivity } from '#cases';
import { type Access, Caller, cursorParam, DEFAULT_PAGE_SIZE, idParam } from '#http';
import type { WrappingKeys } from '#personal-data';
import { ACTIVITY_CURSOR_KEYS } from '../../../../service/src/tokens.js';
import { Operation } from '../transport/operation.js';
import { ActivityQuery } from './activity.query.js';
import { ActivityCursors } from './activity-cursors.js';
import { LIST_ACTIVITY } from './cases.operations.js';
import { nextMarkedCursor, platformCursor } from './marked-cursor.js';

@Controller('v1/creators/:id/activity')
export class ActivityController {
  private readonly cursors: ActivityCursors;

  constructor(
    private readonly commands: CommandBus,
    @Inject(ACTIVITY_CURSOR_KEYS) keys: WrappingKeys,
  ) {
    this.cursors = new ActivityCursors(keys);
  }

  @Get()
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
}
