import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { Rollback } from '../rebuild/rollback.js';

/** Drops the collections that are kept for a rollback of the named read models, or of all. Returns which. */
export class DiscardReplacedReadModels extends Command<readonly string[]> {
  constructor(readonly names: readonly string[]) {
    super();
  }
}

@CommandHandler(DiscardReplacedReadModels)
export class DiscardReplacedReadModelsHandler implements ICommandHandler<DiscardReplacedReadModels> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly rollback: Rollback,
  ) {}

  async execute({ names }: DiscardReplacedReadModels): Promise<readonly string[]> {
    const chosen = this.catalogue.select(names);
    await this.rollback.discard(chosen);
    return chosen.map(({ name }) => name);
  }
}
