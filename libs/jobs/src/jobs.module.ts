import { type DynamicModule, Module } from '@nestjs/common';
import {
  Caches,
  Clock,
  CommandRunner,
  DocumentStore,
  EventLog,
  LanePositions,
  LiveCollections,
  Logger,
  newEventId,
  type Projection,
} from '#kernel';
import { ClockWatch } from './clock/clock-watch.js';
import { DeadLetters } from './dead-letters/dead-letters.js';
import { Checkpoints } from './lanes/checkpoints.js';
import { Leader } from './leader/leader.js';
import { holderName } from './leases/holder.js';
import { Leases } from './leases/leases.js';
import { Backpressure, backpressureBehind } from './long-lists/backpressure.js';
import { CommandTasks } from './tasks/command-tasks.js';

export interface JobsOptions {
  readonly tasks: Pick<Projection, 'name' | 'version'>;
  /** The names of all that follows the log: bulk appends keep their pace. */
  readonly logRunners: readonly string[];
  /** The lane in which a runner follows the log. */
  readonly laneOf: (runner: string) => string;
  readonly onDeadLetter: (runner: string) => void;
  /** Is called each time that a runner begins again, because its documents are of another log (D92). */
  readonly onCheckpointRefused: (runner: string) => void;
}

/** Deciding, leases, due work and how far the runners are: what contexts and engines share. */
@Module({})
export class JobsModule {
  static forRoot({ tasks, logRunners, laneOf, onDeadLetter, onCheckpointRefused }: JobsOptions): DynamicModule {
    const holder = holderName(newEventId());
    const providers = [
      {
        provide: CommandRunner,
        useFactory: (log: EventLog, clock: Clock, caches: Caches) => new CommandRunner(log, clock, { caches }),
        inject: [EventLog, Clock, Caches],
      },
      {
        provide: Leases,
        useFactory: (documents: DocumentStore, clock: Clock) => new Leases(documents, clock, holder),
        inject: [DocumentStore, Clock],
      },
      {
        provide: Leader,
        useFactory: (leases: Leases, logger: Logger) => new Leader(leases, logger),
        inject: [Leases, Logger],
      },
      {
        provide: ClockWatch,
        useFactory: (clock: Clock, log: EventLog, logger: Logger) => new ClockWatch(clock, log, logger),
        inject: [Clock, EventLog, Logger],
      },
      {
        provide: LanePositions,
        useFactory: (documents: DocumentStore) => new LanePositions(documents, undefined, laneOf),
        inject: [DocumentStore],
      },
      {
        provide: DeadLetters,
        useFactory: (runner: CommandRunner) => new DeadLetters(runner, onDeadLetter),
        inject: [CommandRunner],
      },
      {
        provide: Checkpoints,
        useFactory: (documents: DocumentStore, log: EventLog, logger: Logger) =>
          new Checkpoints(documents, log, logger, onCheckpointRefused),
        inject: [DocumentStore, EventLog, Logger],
      },
      {
        provide: CommandTasks,
        useFactory: (documents: DocumentStore, live: LiveCollections) =>
          new CommandTasks(documents, () => live.of(tasks)),
        inject: [DocumentStore, LiveCollections],
      },
      {
        provide: Backpressure,
        useFactory: (log: EventLog, progress: LanePositions) => backpressureBehind(logRunners, log, progress),
        inject: [EventLog, LanePositions],
      },
    ];
    return { module: JobsModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
