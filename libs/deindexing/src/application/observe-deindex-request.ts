import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess } from '#creators';
import { type CommandContext, type DeindexRequestId, DomainError } from '#kernel';
import {
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  recordOutcomeUnknown,
} from '../domain/deindex-request.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';
import { SearchProvider } from './search-provider.js';

/** It returns the request, so that no query has to read the stream a second time. */
export class ObserveDeindexRequest extends Command<KnownDeindexRequest> {
  constructor(
    readonly requestId: DeindexRequestId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ObserveDeindexRequest)
export class ObserveDeindexRequestHandler implements ICommandHandler<ObserveDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly creators: CreatorAccess,
    private readonly provider: SearchProvider,
  ) {}

  async execute({ requestId, scope, context }: ObserveDeindexRequest): Promise<KnownDeindexRequest> {
    // A request never changes its creator, so that a cached state says which one can be loaded at the same time.
    const cached = this.requests.cached(requestId)?.state;
    const [loaded, creator] = await Promise.all([
      this.requests.load(requestId),
      cached !== undefined && cached.status !== 'unknown' ? this.creators.recorded(cached.creatorId) : undefined,
    ]);
    const { state: request } = loaded;
    if (request.status === 'unknown' || request.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.forRead(creator ?? request.creatorId, scope, context);
    if (!isUnderWay(request)) return request;
    const submission = await this.provider.find(requestId);
    // A missing record says nothing yet, because the call may still be running.
    if (submission === undefined && request.recordedAt === null) return request;
    const { state } = await this.requests.update(loaded, context, (current, now) =>
      submission === undefined ? recordOutcomeUnknown(current, now) : observeSubmission(current, submission),
    );
    return state.status === 'unknown' ? request : state;
  }
}
