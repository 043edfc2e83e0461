import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import type { OnProgress } from '../rebuild/filling.js';
import { Rebuild } from '../rebuild/rebuild.js';

export interface RebuiltReadModels {
  readonly names: readonly string[];
  readonly events: number;
}

/** Rebuilds the named read models from the log, or all of them, while the live ones serve. */
export class RebuildReadModels extends Command<RebuiltReadModels> {
  constructor(
    readonly names: readonly string[],
    readonly onProgress: OnProgress,
  ) {
    super();
  }
}

@CommandHandler(RebuildReadModels)
export class RebuildReadModelsHandler implements ICommandHandler<RebuildReadModels> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly rebuild: Rebuild,
  ) {}

  async execute({ names, onProgress }: RebuildReadModels): Promise<RebuiltReadModels> {
    const chosen = this.catalogue.select(names);
    let events = 0;
    await this.rebuild.run(chosen, (progress) => {
      ({ events } = progress);
      onProgress(progress);
    });
    return { names: chosen.map(({ name }) => name), events };
  }
}
