import {
  type AnyTaskRules,
  type DomainEvent,
  DUE_GRACE,
  type Duration,
  type Instant,
  type Projection,
  projection,
  type RecordedEvent,
  SECOND,
  streamId,
  type Task,
  type TaskRule,
  taskId,
  taskOf,
  type WorkspaceId,
} from '#kernel';
import type { DeadLetterEvent, DeadLetterRecorded, DeadLetterRetried } from '../dead-letters/dead-letters.js';
import { TASK_INDEXES } from '../tasks/command-tasks.js';
import { TASK_FIELDS } from '../tasks/task-collection.js';

type TaskRuleRows<Event extends DomainEvent> = {
  readonly [Type in Event['type']]: readonly TaskRule<Extract<Event, { type: Type }>>[];
};

/** Every event of the context needs a row, because a forgotten one could leave a task due forever. */
export type TaskRules<Own extends DomainEvent, Others extends DomainEvent = never> = TaskRuleRows<Own> &
  Partial<TaskRuleRows<Others>>;

const SOON: Duration = SECOND;

export const immediately = (at: Instant): Instant => at;
export const soon = (at: Instant): Instant => at + SOON;
/** After the time that the process which appended the event has for the next step. */
export const afterGrace = (at: Instant): Instant => at + DUE_GRACE;
export const noLonger = (): undefined => undefined;

const subjectOf = <Event extends DomainEvent>(effect: TaskRule<Event>, event: RecordedEvent<Event>): string =>
  effect.subject?.(event) ?? streamId(event.stream);

const foldOf = <Event extends DomainEvent>(effects: readonly TaskRule<Event>[]) => {
  const idOf = (effect: TaskRule<Event>, event: RecordedEvent<Event>) => taskId(effect.kind, subjectOf(effect, event));
  return {
    documents: (event: RecordedEvent<Event>) => effects.map((effect) => idOf(effect, event)),
    fold: (_: Task | undefined, event: RecordedEvent<Event>, id: string): Task | undefined => {
      const effect = effects.find((candidate) => idOf(candidate, event) === id);
      const dueAt = effect?.due(event.metadata.at, event);
      if (effect === undefined || dueAt === undefined) return undefined;
      const workspaceId = effect.workspace?.(event) ?? (event.metadata.workspaceId as WorkspaceId);
      const cause = { id: event.id, correlationId: event.metadata.correlationId };
      return taskOf(effect.kind, subjectOf(effect, event), workspaceId, dueAt, cause);
    },
  };
};

const ofItem = {
  documents: ({ data: { item } }: RecordedEvent<DeadLetterEvent>) => (item.kind === 'dueItem' ? item.itemId : []),
};

/** A set-aside item waits for its retry (D67), unless an event has made it due again. */
const DEAD_LETTERS = {
  'setAside.setAside.v1': {
    ...ofItem,
    fold: (before: Task | undefined, { data: { item }, metadata }: RecordedEvent<DeadLetterRecorded>) => {
      if (before === undefined || item.kind !== 'dueItem' || before.cause.id !== item.cause.id) return before;
      const { kind, subject, workspaceId, cause } = before;
      return { ...taskOf(kind, subject, workspaceId, metadata.at, cause), isSetAside: true } as const;
    },
  },
  'setAside.retried.v1': {
    ...ofItem,
    fold: (before: Task | undefined, { data, metadata }: RecordedEvent<DeadLetterRetried>) => {
      const { item } = data;
      const isDueAgain = before !== undefined && before.isSetAside !== true;
      if (isDueAgain || item.kind !== 'dueItem' || metadata.workspaceId === null) return before;
      return taskOf(item.dueKind, item.subject, metadata.workspaceId, metadata.at, item.cause);
    },
  },
};

/** The read model of tasks, by the rules of all contexts. The order of the rules has no effect. */
export const taskProjectionOf = (plans: readonly AnyTaskRules[]): Projection<Task> => {
  const effects = new Map<string, TaskRule[]>();
  for (const [type, ofType = []] of plans.flatMap((plan) => Object.entries(plan))) {
    if (ofType.length > 0) effects.set(type, [...(effects.get(type) ?? []), ...ofType]);
  }
  return projection<Task, DomainEvent>({
    name: 'due_work',
    // One version for all plans, because they write one read model (docs/adr/0013-one-version-for-all-plans.md).
    version: 10,
    indexes: TASK_INDEXES,
    operationalFields: TASK_FIELDS,
    on: { ...Object.fromEntries([...effects].map(([type, ofType]) => [type, foldOf(ofType)])), ...DEAD_LETTERS },
  });
};

export const taskKindsOf = (plans: readonly AnyTaskRules[]): string[] => [
  ...new Set(plans.flatMap((plan) => Object.values(plan)).flatMap((ofType = []) => ofType.map(({ kind }) => kind))),
];
