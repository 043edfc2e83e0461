import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { DocumentStore, EventLog } from '#kernel';
import { type DeadLetterDocument, DeadLetterList } from '../dead-letters/dead-letter-list.js';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { type ReadModelStatus, readModelStatus } from '../read-model-status.js';

export interface StatusReport {
  readonly readModels: readonly (ReadModelStatus & { readonly deadLetters: readonly DeadLetterDocument[] })[];
  /** Runners of other work that have set something aside (D67); empty if read models were named. */
  readonly runners: readonly { readonly name: string; readonly deadLetters: readonly DeadLetterDocument[] }[];
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
    private readonly deadLetters: DeadLetterList,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
  ) {}

  async execute({ names }: GetReadModelStatus): Promise<StatusReport> {
    const { log, documents, catalogue } = this;
    const statuses = await readModelStatus(catalogue.select(names), log, documents);
    const deadLetters = Map.groupBy(await this.deadLetters.list(), ({ scope }) => scope);
    const readModels = statuses.map((status) => ({ ...status, deadLetters: deadLetters.get(status.name) ?? [] }));
    if (names.length > 0) return { readModels, runners: [] };
    for (const { name } of catalogue.all) deadLetters.delete(name);
    return { readModels, runners: [...deadLetters].map(([name, deadLetters]) => ({ name, deadLetters })) };
  }
}
