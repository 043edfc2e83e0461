import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetDeindexRequest, RequestDeindex } from './application/commands.js';
import { Deindexing, type DeindexRequested } from './application/deindexing.js';
import type { KnownDeindexRequest } from './domain/deindex-request.js';

@CommandHandler(RequestDeindex)
export class RequestDeindexHandler implements ICommandHandler<RequestDeindex, DeindexRequested> {
  constructor(private readonly deindexing: Deindexing) {}

  execute({ caseId, scope, idempotencyKey, context }: RequestDeindex): Promise<DeindexRequested> {
    return this.deindexing.request(caseId, scope, idempotencyKey, context);
  }
}

@QueryHandler(GetDeindexRequest)
export class GetDeindexRequestHandler implements IQueryHandler<GetDeindexRequest, KnownDeindexRequest> {
  constructor(private readonly deindexing: Deindexing) {}

  execute({ requestId, scope, context }: GetDeindexRequest): Promise<KnownDeindexRequest> {
    return this.deindexing.current(requestId, scope, context);
  }
}

export const deindexingHandlers = [RequestDeindexHandler, GetDeindexRequestHandler];
