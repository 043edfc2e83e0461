import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CreatorId } from '#kernel';
import { type NewestPage, type NewestPageQuery, newestOfCreator, type ReadModel, ReadModels } from '#projections';
import type { KnownDeindexRequest } from '../domain/deindex-request.js';
import {
  type DeindexRequestOfCreator,
  deindexRequestsOfCreatorsProjection,
} from '../read-models/deindex-requests-of-creators.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';

/** A creator's deindex requests, the newest first. The caller has found that the agency can see the creator. */
export class ListDeindexRequests extends Query<NewestPage<KnownDeindexRequest>> {
  constructor(
    readonly creatorId: CreatorId,
    readonly page: NewestPageQuery,
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

  async execute({ creatorId, page }: ListDeindexRequests): Promise<NewestPage<KnownDeindexRequest>> {
    const { items, nextCursor } = await newestOfCreator(this.documents, creatorId, page);
    const loaded = await this.requests.loadAll(items);
    return { items: loaded.flatMap(({ state }) => (state.status === 'unknown' ? [] : [state])), nextCursor };
  }
}
