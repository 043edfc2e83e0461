import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef, NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { AuditModule } from '#audit/module';
import { ALL_PROJECTIONS, LOG_RUNNERS, TASK_JOBS } from '#contexts';
import { InvitationMails } from '#creators';
import { Announcements, VisibleEvents } from '#event-feed';
import {
  awaitOlderBuilds,
  CommandTasks,
  commandKinds,
  DeadLetters,
  Leader,
  Leases,
  type LogConsumer,
  type TaskKind,
  TaskQueue,
  type Term,
} from '#jobs';
import {
  Clock,
  DocumentStore,
  EventLog,
  LanePositions,
  Logger,
  type OptionsOf,
  type Position,
  SECOND,
  type StoredTask,
} from '#kernel';
import { ErasureFollower } from '#privacy';
import { byRunner, READ_MODELS, Rebuild } from '#projections';
import { LastSeals, Sealing, SealTask } from '#tamper-evidence';
import { DeliveryTasks } from '#webhooks';
import { lanesOf, logConsumers } from '../../service/src/log-consumers.js';
import type { Running } from '../../service/src/run.js';

const SWEEP_INTERVAL = 60_000;
const STOP_TIMEOUT = 6_000;
const READINESS_POLL_INTERVAL = 50;

/** Runs projections, reactions, publishing and tasks while it leads: everything that happens between requests. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly consumers: readonly LogConsumer[];
  readonly kinds: readonly TaskKind<StoredTask>[];
  readonly tasks: TaskQueue;
  private isStopping = false;
  private tasksEnded: Promise<void> = Promise.resolve();

  constructor(
    private readonly container: ModuleRef,
    commands: CommandBus,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly progress: LanePositions,
    private readonly rebuild: Rebuild,
    private readonly erasures: ErasureFollower,
    private readonly mails: InvitationMails,
    private readonly leader: Leader,
    private readonly leases: Leases,
    deadLetters: DeadLetters,
    commandTasks: CommandTasks,
    deliveries: DeliveryTasks,
    private readonly sealing: Sealing,
    lastSeals: LastSeals,
    announcements: Announcements,
    events: VisibleEvents,
  ) {
    this.consumers = logConsumers(container);
    erasures.onErasure(() => announcements.forget());
    erasures.onErasure(() => events.forget());
    const optionsOf: OptionsOf = (token) => container.get(token, { strict: false });
    this.kinds = commandKinds(commandTasks, TASK_JOBS, commands, optionsOf, deadLetters, clock);
    const views = { head: () => log.head(), reached: () => progress.of(READ_MODELS) };
    const seals = new SealTask(sealing, clock, logger, lastSeals);
    this.tasks = new TaskQueue([...this.kinds, deliveries], views, clock, logger, seals);
    progress.onReport(() => this.tasks.notify());
  }

  onApplicationBootstrap(): void {
    this.erasures.start();
    this.leader.start((term) => this.lead(term));
  }

  /** Does not wait for work in flight: HTTP drains at the same time, because both must fit into the time to stop. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
    this.leader.resign();
    this.tasksEnded = this.stopTasks();
  }

  /** The lanes continue until this point, so that a write in progress still sees its read model. */
  async onApplicationShutdown(): Promise<void> {
    await this.tasksEnded;
    await this.leader.stop();
  }

  private async lead({ fence, over }: Term): Promise<void> {
    const { container, consumers, documents, leases, logger } = this;
    await awaitOlderBuilds(LOG_RUNNERS, documents, leases, over);
    const lanes = lanesOf(container, consumers, fence, logger);
    for (const lane of lanes) lane.start();
    const sweeping = setInterval(() => this.sweep(), SWEEP_INTERVAL);
    sweeping.unref();
    if (!this.isStopping) this.startTasks(fence, over);
    if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
    clearInterval(sweeping);
    if (!this.isStopping) this.tasksEnded = this.stopTasks();
    await Promise.all([this.tasksEnded, ...lanes.map((lane) => lane.stop())]);
  }

  /** No task starts from a read model that is behind the head that the log had at the takeover. */
  private startTasks(fence: number, over: AbortSignal): void {
    // Another process may have sealed since this one last led.
    this.sealing.forget();
    this.tasks.start(this.readModelsReady(over), fence);
  }

  /** Gives tasks in flight some time to end. */
  private async stopTasks(): Promise<void> {
    await Promise.race([this.tasks.stop(), delay(STOP_TIMEOUT, undefined, { ref: false })]);
  }

  /** Deletes the request counters of past minutes and the counts of past mails, which are no longer read. */
  private sweep(): void {
    const { documents, clock, mails } = this;
    Promise.all([documents.sweepCounters(clock.now()), mails.sweep()]).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not delete past counters; the next sweep tries again');
    });
  }

  /**
   * Retries without limit while the stores cannot be reached or the read models are rebuilt, because no task may
   * start until then.
   */
  private async readModelsReady(over: AbortSignal): Promise<void> {
    const { log, progress, rebuild } = this;
    let head: Position | undefined;
    while (!over.aborted && !this.isStopping) {
      try {
        head ??= await log.head();
        const isThere = await progress.waitForPosition([READ_MODELS], head, SECOND, undefined, over);
        if (isThere && (await rebuild.outdated(byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? [])).length === 0) return;
        await delay(READINESS_POLL_INTERVAL);
      } catch (error) {
        if (over.aborted) return;
        this.logger.warn(
          { err: error },
          'could not read how far the read models are; no task starts; trying again in 1 s',
        );
        await delay(SECOND);
      }
    }
  }
}

/** Runs from the start of its app to its end; the app's root module imports the service. */
@Module({ imports: [AuditModule], providers: [Worker], exports: [Worker] })
export class WorkerModule {}

@Module({})
class WorkerRoot {}

/** The worker alone, an application without HTTP. */
export const startWorker = async (service: DynamicModule): Promise<Running> => {
  const root = { module: WorkerRoot, imports: [service, WorkerModule] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return { app, stop: () => app.close() };
};
