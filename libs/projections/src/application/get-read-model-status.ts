import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DocumentStore, EventLog } from '#kernel';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { type ReadModelStatus, readModelStatus } from '../read-model-status.js';
import { type SetAsideDocument, SetAsideList } from '../set-asides/set-aside-list.js';

export interface StatusReport {
  readonly readModels: readonly (ReadModelStatus & { readonly setAside: readonly SetAsideDocument[] })[];
  /** Runners of other work that have set something aside (D67); empty if read models were named. */
  readonly runners: readonly { readonly name: string; readonly setAside: readonly SetAsideDocument[] }[];
}

/** Without names: of all read models, and what the other runners have set aside. */
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
  ) {}

  async execute({ names }: GetReadModelStatus): Promise<StatusReport> {
    const { log, documents, catalogue } = this;
    const statuses = await readModelStatus(catalogue.select(names), log, documents);
    const setAsides = Map.groupBy(await this.setAsides.list(), ({ scope }) => scope);
    const readModels = statuses.map((status) => ({ ...status, setAside: setAsides.get(status.name) ?? [] }));
    if (names.length > 0) return { readModels, runners: [] };
    for (const { name } of catalogue.all) setAsides.delete(name);
    return { readModels, runners: [...setAsides].map(([name, setAside]) => ({ name, setAside })) };
  }
}
