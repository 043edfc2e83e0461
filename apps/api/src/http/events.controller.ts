import { Controller, Get, Header, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListEvents } from '#event-feed';
import { type Access, Caller, DEFAULT_PAGE_SIZE, PageQuery } from '#http';
import { invalidRequest, parseId } from '#kernel';
import { EXAMPLE, exampleEvent, pageOf } from './resources.examples.js';
import { answer, Operation, type OperationOptions } from './transport/operation.js';

const LIST_EVENTS: OperationOptions = {
  tag: 'Events',
  summary: 'The event feed, in the order of publication.',
  description: `One feed per workspace, in a fixed order without gaps. Keep the id of the last event that you processed, and pass it as \`after\`, even when
\`next_cursor\` is null. Ignore event types that you do not know: more may follow.`,
  apiVersion: '0.2.0',
  scopes: ['events:read'],
  answers: { 200: answer('A page of the feed.', 'EventPage', pageOf(exampleEvent('scan.completed'), EXAMPLE.eventId)) },
};

@Controller('v1/events')
export class EventsController {
  constructor(private readonly queries: QueryBus) {}

  /** Answers with text, so that it contains each event's original bytes (D58). */
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
