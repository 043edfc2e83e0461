import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeadLetters } from '#jobs';
import { type CommandContext, newEventId } from '#kernel';
import { type DeadLetterDocument, DeadLetterList } from '../dead-letters/dead-letter-list.js';
import { READ_MODEL_RUNNERS } from '../engine/read-models-runner.js';
import { ProjectionCatalogue } from '../projection-catalogue.js';
import { Rebuild } from '../rebuild/rebuild.js';

/** D67: runners process set-aside items again; a repeated failure sets one aside again. Returns the number of items. */
export class RetryDeadLetters extends Command<number> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(RetryDeadLetters)
export class RetryDeadLettersHandler implements ICommandHandler<RetryDeadLetters> {
  constructor(
    private readonly catalogue: ProjectionCatalogue,
    private readonly list: DeadLetterList,
    private readonly deadLetters: DeadLetters,
    private readonly rebuild: Rebuild,
  ) {}

  async execute({ context }: RetryDeadLetters): Promise<number> {
    const deadLetters = await this.list.list();
    const incomplete = this.catalogue.all.filter(({ name }) =>
      deadLetters.some((deadLetter) => isOfReadModel(deadLetter, name)),
    );
    // A rebuild records itself which events it could process this time.
    if (incomplete.length > 0) await this.rebuild.run(incomplete);
    for (const deadLetter of deadLetters) {
      if (incomplete.some(({ name }) => isOfReadModel(deadLetter, name))) continue;
      const { runner, part, item, workspaceId, eventId: causationId } = deadLetter;
      const ofItem = { ...context, correlationId: newEventId(), causationId, workspaceId };
      await this.deadLetters.retry({ runner, part, item }, ofItem);
    }
    return deadLetters.length;
  }
}

const isOfReadModel = ({ runner, part }: DeadLetterDocument, name: string): boolean =>
  READ_MODEL_RUNNERS.has(runner) && part === name;
