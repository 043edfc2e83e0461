import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { CreatorId } from '#kernel';
import { type NewestPage, type NewestPageQuery, newestOfCreator, type ReadModel, ReadModels } from '#projections';
import { isKnown, type KnownScan } from '../domain/scan.js';
import { type ScanOfCreator, scansOfCreatorsProjection } from '../read-models/scans-of-creators.js';
import { ScanRepository } from './scan.repository.js';

/** A creator's scans, the newest first. The caller has found that the agency can see the creator. */
export class ListScans extends Query<NewestPage<KnownScan>> {
  constructor(
    readonly creatorId: CreatorId,
    readonly page: NewestPageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListScans)
export class ListScansHandler implements IQueryHandler<ListScans> {
  private readonly documents: ReadModel<ScanOfCreator>;

  constructor(
    readModels: ReadModels,
    private readonly scans: ScanRepository,
  ) {
    this.documents = readModels.of(scansOfCreatorsProjection);
  }

  async execute({ creatorId, page }: ListScans): Promise<NewestPage<KnownScan>> {
    const { items, nextCursor } = await newestOfCreator(this.documents, creatorId, page);
    const loaded = await this.scans.loadAll(items);
    return { items: loaded.map(({ state }) => state).filter(isKnown), nextCursor };
  }
}
