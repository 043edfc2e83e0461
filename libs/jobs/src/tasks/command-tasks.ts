import { hash } from 'node:crypto';
import {
  type Clock,
  type DocumentStore,
  type OptionsOf,
  type StoredTask,
  type TaskJobs,
  type TaskOutcome,
} from '#kernel';
import { type DeadLetters, DUE_WORK } from '../dead-letters/dead-letters.js';
import { failFastIfLeased } from '../leases/leases.js';
import { TaskCollection, type TaskKind } from './task-collection.js';

/** D89: an agency's share of the places of a kind. */
const SHARE_OF_AGENCY = 1 / 4;

export const TASK_INDEXES = [
  { name: 'ready', fields: ['kind', 'readyAt'] },
  { name: 'turns', fields: ['kind', 'workspaceId', 'readyAt'] },
  { name: 'next', fields: ['readyAt'] },
] as const;

/** The tasks whose kinds contexts define. Their lane key is the workspace. */
export class CommandTasks extends TaskCollection<StoredTask> {
  constructor(store: DocumentStore, collection: () => Promise<string>) {
    const along = (index: string) => (kind: string) => ({ index, equals: [kind] });
    const indexes = { all: 'next', ofKind: along('ready'), ofLanes: along('turns'), areCovering: false };
    super(store, collection, { ...indexes, kindOf: ({ kind }) => kind, laneOf: ({ workspaceId }) => workspaceId });
  }
}

/** From 0 to 1, always the same for a subject, and evenly distributed over all subjects. */
const shareOf = (subject: string): number => hash('sha1', subject, 'buffer').readUInt32BE() / 2 ** 32;

export interface TaskCommands {
  execute(command: object): Promise<TaskOutcome>;
}

export const commandKinds = (
  tasks: CommandTasks,
  jobs: TaskJobs,
  commands: TaskCommands,
  optionsOf: OptionsOf,
  deadLetters: Pick<DeadLetters, 'record'>,
  clock: Pick<Clock, 'now'>,
): TaskKind<StoredTask>[] =>
  Object.entries(jobs).map(([kind, job]) => {
    const { concurrency, isSpread } = job;
    const longestWait = typeof job.longestWait === 'number' ? job.longestWait : job.longestWait(optionsOf);
    const share = Math.max(1, Math.floor(concurrency * SHARE_OF_AGENCY));
    const execute = async (item: StoredTask): Promise<TaskOutcome> => {
      const now = clock.now();
      if (isSpread && item.plannedFor === undefined && item.dueAt + longestWait < now)
        return { retryAt: now + Math.floor(shareOf(item.subject) * longestWait) };
      if (item.isSetAside && !job.endsDeadLetters) return 'idle';
      return failFastIfLeased(() => commands.execute(job.command(item)));
    };
    return {
      kind,
      tasks,
      concurrency,
      concurrencyOf: () => share,
      longestWait,
      startsTogether: false,
      start: (items) => items.map(execute),
      isGivenUp: ({ isSetAside }) => isSetAside === true,
      async giveUp({ id: itemId, kind: dueKind, subject, cause, workspaceId }, error) {
        const item = { kind: 'dueItem', itemId, dueKind, subject, cause } as const;
        await deadLetters.record({ runner: DUE_WORK, part: null, item }, error, { ...cause, workspaceId });
      },
    };
  });
