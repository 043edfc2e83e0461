import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { FetchActivity, publicActivity } from '#cases';
import { invalidRequest } from '#kernel';
import type { WrappingKeys } from '#personal-data';
import { ACTIVITY_CURSOR_KEYS } from '../../../../service/src/tokens.js';
import { Operation } from '../../openapi/operation.js';
import { type Access, Caller } from '../access.js';
import { idParam } from '../id-param.js';
import { DEFAULT_PAGE_SIZE } from '../validation/page.query.js';
import { ActivityQuery } from './activity.query.js';
import { ActivityCursors } from './activity-cursors.js';
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
  @Operation({
    summary: 'Detections, recorded sends and removals, newest first.',
    label: '0.8.0',
    scopes: ['cases:read'],
    answers: { 200: 'ActivityPage' },
    errors: ['not_found'],
    id: 'crt',
  })
  async list(
    @Caller() { scope, context }: Access,
    @Param('id') id: string,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: ActivityQuery,
  ) {
    const marked = after === undefined ? undefined : this.cursors.open(id, after);
    if (after !== undefined && marked === undefined) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
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
