import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  type AgencyScope,
  CreatorAccess,
  type ListPage,
  type ListPageQuery,
  latestTimeOf,
  newestOfCreator,
} from '#creators';
import { type CommandContext, type CreatorId, DomainError, type Instant, type ScanId } from '#kernel';
import { type ReadModel, ReadModels } from '#projections';
import { isKnown, type KnownScan } from '../domain/scan.js';
import { type ScanOfCreator, scansOfCreatorsProjection } from '../read-models/scans-of-creators.js';
import { ScanRepository } from './scans.repository.js';

/** A command, because the membership may have to be confirmed, and the platform's answer is recorded (D78). */
export class ObserveScan extends Command<KnownScan> {
  constructor(
    readonly scanId: ScanId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ObserveScan)
export class ObserveScanHandler implements ICommandHandler<ObserveScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
  ) {}

  async execute({ scanId, scope, context }: ObserveScan): Promise<KnownScan> {
    // A scan never changes its creator, so a cached state shows which creator can be loaded at the same time.
    const cached = this.scans.cached(scanId)?.state;
    const [{ state: scan }, creator] = await Promise.all([
      this.scans.load(scanId),
      cached !== undefined && isKnown(cached) ? this.creators.recorded(cached.creatorId) : undefined,
    ]);
    if (!isKnown(scan) || scan.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.forRead(creator ?? scan.creatorId, scope, context);
    return scan;
  }
}

export class ListScans extends Query<ListPage<KnownScan>> {
  constructor(
    readonly creatorId: CreatorId,
    readonly page: ListPageQuery,
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

  async execute({ creatorId, page }: ListScans): Promise<ListPage<KnownScan>> {
    const { items, nextCursor } = await newestOfCreator(this.documents, creatorId, page);
    const loaded = await this.scans.loadAll(items);
    return { items: loaded.map(({ state }) => state).filter(isKnown), nextCursor };
  }
}

/** When the latest scan of each creator was requested. */
export class LatestScans extends Query<ReadonlyMap<CreatorId, Instant | null>> {
  constructor(readonly creatorIds: readonly CreatorId[]) {
    super();
  }
}

@QueryHandler(LatestScans)
export class LatestScansHandler implements IQueryHandler<LatestScans> {
  private readonly documents: ReadModel<ScanOfCreator>;

  constructor(readModels: ReadModels) {
    this.documents = readModels.of(scansOfCreatorsProjection);
  }

  async execute({ creatorIds }: LatestScans): Promise<ReadonlyMap<CreatorId, Instant | null>> {
    const latest = creatorIds.map(async (id) => [id, await latestTimeOf(this.documents, id)] as const);
    return new Map(await Promise.all(latest));
  }
}
