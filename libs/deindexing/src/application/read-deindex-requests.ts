import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, type ListPage, type ListPageQuery, newestOfCreator } from '#creators';
import { type CaseId, type CommandContext, type CreatorId, type DeindexRequestId, DomainError } from '#kernel';
import { type ReadModel, ReadModels } from '#projections';
import {
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  recordOutcomeUnknown,
} from '../domain/deindex-request.js';
import {
  type DeindexRequestOfCreator,
  deindexRequestsOfCreatorsProjection,
} from '../read-models/deindex-requests-of-creators.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';
import { SearchProvider } from './ports.js';

export class ListDeindexRequests extends Query<ListPage<KnownDeindexRequest>> {
  constructor(
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListDeindexRequests)
export class ListDeindexRequestsHandler implements IQueryHandler<ListDeindexRequests> {
  private readonly documents: ReadModel<DeindexRequestOfCreator>;

  constructor(
    readModels: ReadModels,
    private readonly requests: DeindexRequestRepository,
  ) {
    this.documents = readModels.of(deindexRequestsOfCreatorsProjection);
  }

  async execute({ creatorId, page }: ListDeindexRequests): Promise<ListPage<KnownDeindexRequest>> {
    const { items, nextCursor } = await newestOfCreator(this.documents, creatorId, page);
    const loaded = await this.requests.loadAll(items);
    return { items: loaded.flatMap(({ state }) => (state.status === 'unknown' ? [] : [state])), nextCursor };
  }
}

/** The latest request of each case that has one. */
export class LatestDeindexRequests extends Query<ReadonlyMap<CaseId, KnownDeindexRequest>> {
  constructor(readonly caseIds: readonly CaseId[]) {
    super();
  }
}

@QueryHandler(LatestDeindexRequests)
export class LatestDeindexRequestsHandler implements IQueryHandler<LatestDeindexRequests> {
  private readonly documents: ReadModel<DeindexRequestOfCreator>;

  constructor(
    readModels: ReadModels,
    private readonly requests: DeindexRequestRepository,
  ) {
    this.documents = readModels.of(deindexRequestsOfCreatorsProjection);
  }

  async execute({ caseIds }: LatestDeindexRequests): Promise<ReadonlyMap<CaseId, KnownDeindexRequest>> {
    const found = await Promise.all(
      caseIds.map((caseId) =>
        this.documents.findEntries({ index: 'case', equals: [caseId], order: 'descending', limit: 1 }),
      ),
    );
    const loaded = await this.requests.loadAll(found.flat().map(({ id }) => id));
    const known = loaded.flatMap(({ state }) => (state.status === 'unknown' ? [] : [state]));
    return new Map(known.map((request) => [request.caseId, request]));
  }
}

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
    // A request never changes its creator, so a cached state shows which creator can be loaded at the same time.
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
