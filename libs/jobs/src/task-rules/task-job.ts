import { Command } from '@nestjs/cqrs';
import {
  type CommandContext,
  type Decision,
  type DomainEvent,
  decideAfterWait,
  type LoadedState,
  newEventId,
  OUTCOME_TIMEOUT,
  processContext,
  type Repository,
  type StoredTask,
  type Task,
  type TaskOutcome,
} from '#kernel';
import type { ClockWatch } from '../clock/clock-watch.js';

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

interface DeadLetterCalls<State, Event extends DomainEvent, Key extends string> {
  readonly repository: Repository<State, Event, Key>;
  /** Ends a call that was never sent; any other is uncertain, and ends 72 hours later. */
  readonly end: Decision<State, Event>;
  readonly isUncertain: (state: State) => boolean;
  readonly clocks: ClockWatch;
}

/** One step toward the end of an outbound call whose task was set aside (D87), by the same 72 hours as for any other (D93). */
export const endDeadLetter = async <State, Event extends DomainEvent, Key extends string>(
  loaded: LoadedState<State, Key>,
  context: CommandContext,
  { repository, end, isUncertain, clocks }: DeadLetterCalls<State, Event, Key>,
): Promise<TaskOutcome> => {
  const timeout = { wait: OUTCOME_TIMEOUT, left: clocks.remainingFor(loaded, OUTCOME_TIMEOUT) };
  const { state, events } = await repository.update(loaded, context, decideAfterWait(loaded, timeout, end));
  if (events.length > 0) return 'done';
  return isUncertain(state) ? { retryAt: clocks.endFor(loaded, OUTCOME_TIMEOUT) } : 'idle';
};
