export { CLOCK_FAULTS, ClockWatch } from './clock/clock-watch.js';
export {
  type DeadLetter,
  type DeadLetterEvent,
  type DeadLetterRecorded,
  DUE_WORK,
  deadLetterDecider,
} from './dead-letters/dead-letter.js';
export { DeadLetters } from './dead-letters/dead-letters.js';
export { isInfrastructureFailure } from './infrastructure-failure.js';
export { Checkpoints, endOf, isKept } from './lanes/checkpoints.js';
export { awaitOlderBuilds, Lane } from './lanes/lane.js';
export type { LaneDefinition, LogConsumer, NewBeginning } from './lanes/log-consumer.js';
export { Leader, type Term } from './leader/leader.js';
export { Leases } from './leases/leases.js';
export { BATCH_SIZE, Backpressure, backpressureBehind } from './long-lists/backpressure.js';
export { walkPages } from './long-lists/page-walk.js';
export { type RecordSource, type SeenRecords, walkRecords } from './long-lists/record-walk.js';
export { SingleFlight, withinBudget } from './long-lists/single-flight.js';
export { Reaction } from './reactions.js';
export { endDeadLetter } from './task-rules/end-dead-letter.js';
export { roundContext, TaskCommand, taskContext, taskJob } from './task-rules/task-job.js';
export {
  afterGrace,
  immediately,
  noLonger,
  soon,
  type TaskRules,
  taskKindsOf,
  taskProjectionOf,
} from './task-rules/task-rules.js';
export { CommandTasks, commandKinds } from './tasks/command-tasks.js';
export type { StandingTask } from './tasks/standing-tasks.js';
export { TASK_FIELDS, TaskCollection } from './tasks/task-collection.js';
export type { Place, TaskKind } from './tasks/task-kind.js';
export { TaskQueue } from './tasks/task-queue.js';
