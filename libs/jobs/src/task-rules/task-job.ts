import { Command } from '@nestjs/cqrs';
import { type CommandContext, newEventId, processContext, type StoredTask, type Task, type TaskOutcome } from '#kernel';

export type TaskAbout<Subject extends string> = StoredTask & { readonly subject: Subject };

/** The command of a task whose subject says enough. */
export abstract class TaskCommand<Subject extends string> extends Command<TaskOutcome> {
  constructor(
    readonly subject: Subject,
    readonly context: CommandContext,
    /** The task was set aside, so the command ends what it is about (D87). */
    readonly isSetAside = false,
  ) {
    super();
  }
}

export const taskContext = ({ kind, workspaceId, cause }: Task): CommandContext =>
  processContext(kind, workspaceId, cause);

/** The command context of a task that repeats: each round has its own correlation id. */
export const roundContext = (item: Task): CommandContext => ({ ...taskContext(item), correlationId: newEventId() });

/** The command for a task whose subject says enough; `contextOf` is `roundContext` if the task repeats. */
export const commandOf =
  <Subject extends string>(
    command: new (subject: Subject, context: CommandContext, isSetAside: boolean) => Command<TaskOutcome>,
    contextOf: (item: Task) => CommandContext = taskContext,
  ) =>
  (item: TaskAbout<Subject>): Command<TaskOutcome> =>
    new command(item.subject, contextOf(item), item.isSetAside === true);
