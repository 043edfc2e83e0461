import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Clock, DocumentStore, EventLog } from '#kernel';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { type ReadModelStatus, readModelStatus } from '../read-model-status.js';
import { READ_MODELS } from '../read-models/read-models-consumer.js';
import { type AsideDocument, SetAsideList } from '../set-asides/set-aside-list.js';

export interface StatusReport {
  readonly readModels: readonly (ReadModelStatus & { readonly setAside: readonly AsideDocument[] })[];
  /** Runners of other work that have set something aside (D67); empty if read models were named. */
  readonly runners: readonly { readonly name: string; readonly setAside: readonly AsideDocument[] }[];
}

/** The state of the named read models and what they lack; without names, of all, and what other runners set aside. */
export class GetReadModelStatus extends Query<StatusReport> {
  constructor(readonly names: readonly string[]) {
    super();
  }
}

@QueryHandler(GetReadModelStatus)
export class GetReadModelStatusHandler implements IQueryHandler<GetReadModelStatus> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly setAsides: SetAsideList,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  async execute({ names }: GetReadModelStatus): Promise<StatusReport> {
    const { log, documents, clock, catalogue } = this;
    const statuses = await readModelStatus(READ_MODELS, catalogue.select(names), log, documents, clock.now());
    const asides = Map.groupBy(await this.setAsides.list(), ({ scope }) => scope);
    const readModels = statuses.map((status) => ({ ...status, setAside: asides.get(status.name) ?? [] }));
    if (names.length > 0) return { readModels, runners: [] };
    for (const { name } of catalogue.all) asides.delete(name);
    return { readModels, runners: [...asides].map(([name, setAside]) => ({ name, setAside })) };
  }
}
