import { Command } from '@nestjs/cqrs';
import {
  type CommandContext,
  newEventId,
  processContext,
  type StoredTask,
  type Task,
  type TaskJob,
  type TaskOutcome,
} from '#kernel';

export type TaskAbout<Subject extends string> = StoredTask & { readonly subject: Subject };

/** What is done for an item, where its subject is enough. */
export abstract class TaskCommand<Subject extends string> extends Command<TaskOutcome> {
  constructor(
    readonly subject: Subject,
    readonly context: CommandContext,
  ) {
    super();
  }
}

type CommandFor<Subject extends string> = (item: TaskAbout<Subject>) => Command<TaskOutcome>;

/** The job of a due kind: its numbers, and the command for an item; the last one for an item that was set aside. */
export const taskJob = <Subject extends string>(
  numbers: Pick<TaskJob, 'concurrency' | 'longestWait' | 'isSpread'>,
  command: CommandFor<Subject>,
  whenDeadLetter?: CommandFor<Subject>,
): TaskJob => ({ ...numbers, command, ...(whenDeadLetter !== undefined && { whenDeadLetter }) });

export const taskContext = ({ kind, workspaceId, cause }: Task): CommandContext =>
  processContext(kind, workspaceId, cause);

/** The command context of due work that repeats: each round has its own correlation id. */
export const roundContext = (item: Task): CommandContext => ({ ...taskContext(item), correlationId: newEventId() });
