export { BATCH_SIZE, Backpressure, backpressureBehind } from './backpressure.js';
export {
  type DeadLetter,
  type DeadLetterEvent,
  DeadLetters,
  DUE_WORK,
  deadLetterDecider,
  isInfrastructureFailure,
} from './dead-letters/dead-letters.js';
export { Checkpoints, endOf, isKept } from './lanes/checkpoints.js';
export { awaitOlderBuilds, Lane } from './lanes/lane.js';
export { type LaneDefinition, type LogConsumer, Reaction } from './lanes/log-consumer.js';
export { Leader, type Term } from './leader/leader.js';
export { holderName, isDeadLocalProcess, Leases } from './leases/leases.js';
export {
  commandOf,
  roundContext,
  type TaskAbout,
  TaskCommand,
  taskContext,
} from './task-rules/task-job.js';
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
export { type Place, TASK_FIELDS, TaskCollection, type TaskKind } from './tasks/task-collection.js';
export { type StandingTask, TaskQueue } from './tasks/task-queue.js';
