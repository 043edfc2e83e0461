import { Controller, Get, Header, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListEvents } from '#event-feed';
import { type Access, Caller, DEFAULT_PAGE_SIZE, PageQuery } from '#http';
import { invalidRequest, parseId } from '#kernel';
import { Operation } from '../transport/operation.js';
import { LIST_EVENTS } from './events.operations.js';

@Controller('v1/events')
export class EventsController {
  constructor(private readonly queries: QueryBus) {}

  /** Answers with text, so that it contains each event's bytes as they were made (D58). */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @Operation(LIST_EVENTS)
  async listEvents(
    @Caller() { scope }: Access,
    @Query() { limit = DEFAULT_PAGE_SIZE, after }: PageQuery,
  ): Promise<string> {
    const cursor = after === undefined ? undefined : parseId('event', after);
    if (after !== undefined && cursor === undefined) {
      throw invalidRequest({ field: 'after', message: 'must be the id of an event of this feed' });
    }
    const { events, nextCursor } = await this.queries.execute(new ListEvents(scope.workspaceId, limit, cursor));
    return `{"data":[${events.join(',')}],"next_cursor":${JSON.stringify(nextCursor)},"simulated":false}`;
  }
}
