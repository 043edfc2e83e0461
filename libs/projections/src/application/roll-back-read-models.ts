import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { notFound } from '#kernel';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { Rollback } from '../rebuild/rollback.js';

/** Switches the named read models back to what the last rebuild replaced; without names all that can be. Returns which. */
export class RollBackReadModels extends Command<readonly string[]> {
  constructor(readonly names: readonly string[]) {
    super();
  }
}

@CommandHandler(RollBackReadModels)
export class RollBackReadModelsHandler implements ICommandHandler<RollBackReadModels> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly rollback: Rollback,
  ) {}

  async execute({ names }: RollBackReadModels): Promise<readonly string[]> {
    const chosen = this.catalogue.select(names);
    const possible = names.length === 0 ? await this.rollback.possible(chosen) : chosen;
    if (possible.length === 0)
      throw notFound('names', 'have no read model with a collection that is kept for a rollback');
    await this.rollback.run(possible);
    return possible.map(({ name }) => name);
  }
}
