import { Command } from '@nestjs/cqrs';
import {
  type CommandContext,
  type DueItem,
  type DueJob,
  type DueOutcome,
  newEventId,
  processContext,
  type StoredDueItem,
} from '#kernel';

export type DueItemAbout<Subject extends string> = StoredDueItem & { readonly subject: Subject };

/** What is done for an item, where its subject is enough. */
export abstract class DueCommand<Subject extends string> extends Command<DueOutcome> {
  constructor(
    readonly subject: Subject,
    readonly context: CommandContext,
  ) {
    super();
  }
}

type CommandFor<Subject extends string> = (item: DueItemAbout<Subject>) => Command<DueOutcome>;

/** The job of a due kind: its numbers, and the command for an item; the last one for an item that was set aside. */
export const dueJob = <Subject extends string>(
  numbers: Pick<DueJob, 'concurrency' | 'longestWait' | 'isSpread'>,
  command: CommandFor<Subject>,
  whenDeadLetter?: CommandFor<Subject>,
): DueJob => ({ ...numbers, command, ...(whenDeadLetter !== undefined && { whenDeadLetter }) });

export const dueContext = ({ kind, workspaceId, cause }: DueItem): CommandContext =>
  processContext(kind, workspaceId, cause);

/** The command context of due work that repeats: each round has its own correlation id. */
export const roundContext = (item: DueItem): CommandContext => ({ ...dueContext(item), correlationId: newEventId() });
