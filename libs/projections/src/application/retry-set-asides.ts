import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { SetAsides } from '#jobs';
import { type CommandContext, newEventId } from '#kernel';
import { READ_MODEL_RUNNERS } from '../engine/read-models-runner.js';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { Rebuild } from '../rebuild/rebuild.js';
import { type SetAsideDocument, SetAsideList } from '../set-asides/set-aside-list.js';

/** D67: runners process set-aside items again; a repeated failure sets one aside again. Returns the number of items. */
export class RetrySetAsides extends Command<number> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(RetrySetAsides)
export class RetrySetAsidesHandler implements ICommandHandler<RetrySetAsides> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly list: SetAsideList,
    private readonly setAsides: SetAsides,
    private readonly rebuild: Rebuild,
  ) {}

  async execute({ context }: RetrySetAsides): Promise<number> {
    const setAsides = await this.list.list();
    const incomplete = this.catalogue.all.filter(({ name }) => setAsides.some((aside) => isOfReadModel(aside, name)));
    // A rebuild records itself which events it could process this time.
    if (incomplete.length > 0) await this.rebuild.run(incomplete);
    for (const aside of setAsides) {
      if (incomplete.some(({ name }) => isOfReadModel(aside, name))) continue;
      const { runner, part, item, workspaceId, eventId: causationId } = aside;
      const ofItem = { ...context, correlationId: newEventId(), causationId, workspaceId };
      await this.setAsides.retry({ runner, part, item }, ofItem);
    }
    return setAsides.length;
  }
}

const isOfReadModel = ({ runner, part }: SetAsideDocument, name: string): boolean =>
  READ_MODEL_RUNNERS.has(runner) && part === name;
