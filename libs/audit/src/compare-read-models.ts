import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { EventLog } from '#kernel';
import { type ComparedReadModel, type OnProgress, ProjectionCatalogue, ReadModelComparison } from '#projections';
import { type ComparedDocument, comparedDocuments } from './compared-documents.js';

export interface ReadModelDifferences {
  readonly readModels: readonly ComparedReadModel[];
  readonly differences: readonly ComparedDocument[];
}

/** Which documents of the named read models, or of all, are not what the log makes of them. Switches nothing. */
export class CompareReadModels extends Query<ReadModelDifferences> {
  constructor(
    readonly names: readonly string[],
    readonly onProgress: OnProgress,
  ) {
    super();
  }
}

@QueryHandler(CompareReadModels)
export class CompareReadModelsHandler implements IQueryHandler<CompareReadModels> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly comparison: ReadModelComparison,
    private readonly log: EventLog,
  ) {}

  async execute({ names, onProgress }: CompareReadModels): Promise<ReadModelDifferences> {
    const { readModels, differences } = await this.comparison.run(this.catalogue.select(names), onProgress);
    return { readModels, differences: await comparedDocuments(this.log, differences) };
  }
}
