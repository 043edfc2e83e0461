import { type DynamicModule, Module } from '@nestjs/common';
import {
  Caches,
  Clock,
  ClockWatch,
  CommandRunner,
  DocumentStore,
  EventLog,
  LanePositions,
  LiveCollections,
  Logger,
  newEventId,
  type Projection,
  provided,
} from '#kernel';
import { Backpressure, backpressureBehind } from './backpressure.js';
import { DeadLetters } from './dead-letters/dead-letters.js';
import { Checkpoints } from './lanes/checkpoints.js';
import { Leader } from './leader/leader.js';
import { holderName, Leases } from './leases/leases.js';
import { CommandTasks } from './tasks/command-tasks.js';

export interface JobsOptions {
  readonly tasks: Pick<Projection, 'name' | 'version'>;
  readonly logRunners: readonly string[];
  readonly laneOf: (runner: string) => string;
  readonly onDeadLetter: (runner: string) => void;
  /** Called each time a runner starts over, because its documents belong to another log (D92). */
  readonly onCheckpointRefused: (runner: string) => void;
}

/** Deciding, leases, tasks and the positions of the runners: what contexts and engines share. */
@Module({})
export class JobsModule {
  static forRoot({ tasks, logRunners, laneOf, onDeadLetter, onCheckpointRefused }: JobsOptions): DynamicModule {
    const holder = holderName(newEventId());
    const providers = [
      provided(
        CommandRunner,
        [EventLog, Clock, Caches],
        (log, clock, caches) => new CommandRunner(log, clock, { caches }),
      ),
      provided(Leases, [DocumentStore, Clock], (documents, clock) => new Leases(documents, clock, holder)),
      provided(Leader, [Leases, Logger], (leases, logger) => new Leader(leases, logger)),
      provided(ClockWatch, [Clock, EventLog, Logger], (clock, log, logger) => new ClockWatch(clock, log, logger)),
      provided(LanePositions, [DocumentStore], (documents) => new LanePositions(documents, undefined, laneOf)),
      provided(DeadLetters, [CommandRunner], (runner) => new DeadLetters(runner, onDeadLetter)),
      provided(
        Checkpoints,
        [DocumentStore, EventLog, Logger],
        (documents, log, logger) => new Checkpoints(documents, log, logger, onCheckpointRefused),
      ),
      provided(
        CommandTasks,
        [DocumentStore, LiveCollections],
        (documents, live) => new CommandTasks(documents, () => live.of(tasks)),
      ),
      provided(Backpressure, [EventLog, LanePositions], (log, progress) =>
        backpressureBehind(logRunners, log, progress),
      ),
    ];
    return { module: JobsModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
