import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { CaseWalks } from '#cases';
import { ALL_PROJECTIONS } from '#contexts';
import { AuthorizationLapses, EnrollmentSettling, RosterSync, SlotSettling } from '#creators';
import { DeindexProgress } from '#deindexing';
import { DueRunner, type LogConsumer, LogRunner } from '#jobs';
import { type DueHandler, type Logger, type Position, SECOND } from '#kernel';
import { READ_MODELS } from '#projections';
import { ScanAdmissions, ScanProgress, ScheduledScans } from '#scans';
import { DisabledEndpoints, WebhookAttempts, WebhookDispatch, WebhookTests } from '#webhooks';
import type { Services } from '../../composition/src/index.js';
import { logConsumers } from '../../composition/src/runners.js';
import { SealLoop } from './seal-loop.js';

const SWEEP_EVERY = 60_000;
const TIME_TO_END = 6_000;
const READY_LOOKED_AT = 50;

/** Projections, processes, publishing and due work: everything that happens between requests. */
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** What it does on events, when something falls due, and for a delivery. */
  readonly consumers: readonly LogConsumer[];
  readonly handlers: readonly DueHandler[];
  readonly attempts: WebhookAttempts;
  private readonly runners: readonly LogRunner[];
  readonly due: DueRunner;
  private readonly seals: SealLoop;
  readonly webhooks: WebhookDispatch;
  private readonly stopNudging: () => void;
  private sweeping: NodeJS.Timeout | undefined;
  private claimsEnded: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    private readonly logger: Logger,
  ) {
    const { log, documents, leases, progress, setAsides, dueWork, clock } = services;
    this.consumers = logConsumers(services, logger);
    this.runners = this.consumers.map(
      (consumer) => new LogRunner(consumer, log, documents, leases, progress, setAsides, logger),
    );
    this.attempts = webhookAttempts(services);
    services.erasures.onErasure(() => this.attempts.forget());
    this.handlers = dueHandlers(services, this.attempts, logger);
    this.due = new DueRunner(dueWork, this.handlers, clock, setAsides, logger);
    this.seals = new SealLoop(services.sealing, leases, clock, logger);
    this.webhooks = new WebhookDispatch(services.deliveryList, this.attempts, leases, clock, logger);
    this.stopNudging = progress.onReport(() => {
      this.due.notify();
      this.webhooks.notify();
    });
  }

  onApplicationBootstrap(): void {
    this.services.erasures.start(this.logger);
    for (const runner of this.runners) runner.start();
    this.seals.start();
    this.sweeping = setInterval(() => this.sweep(), SWEEP_EVERY);
    this.sweeping.unref();
    // Nothing is claimed from a read model that does not know what the log held at the start.
    const ready = this.readModelsReady();
    this.due.start(ready);
    this.webhooks.start(ready);
  }

  /** Does not wait for what is under way: HTTP drains meanwhile, as both together have to fit into the time of a stop. */
  beforeApplicationShutdown(): void {
    this.claimsEnded = this.stopClaiming();
  }

  /** The runners go on until here, so that a write under way still sees its read model. */
  async onApplicationShutdown(): Promise<void> {
    await this.claimsEnded;
    await Promise.all([...this.runners, this.seals].map((runner) => runner.stop()));
  }

  /** What is under way has some time to end; then its claims are returned. */
  private async stopClaiming(): Promise<void> {
    this.stopNudging();
    clearInterval(this.sweeping);
    const { dueWork, clock } = this.services;
    const ended = Promise.all([this.due.stop(), this.webhooks.stop(), this.seals.stop()]);
    await Promise.race([ended, delay(TIME_TO_END, undefined, { ref: false })]);
    await dueWork.releaseOwnClaims(clock.now()).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'claims could not be given back; they end by themselves');
    });
  }

  /** Counters of minutes that are over serve nobody. */
  private sweep(): void {
    const { documents, clock } = this.services;
    documents.sweepCounters(clock.now()).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'counters could not be swept');
    });
  }

  /**
   * However long the stores can not be reached, or the read models of another version are being made anew: without it
   * nothing would ever be claimed.
   */
  private async readModelsReady(): Promise<void> {
    const { log, progress, rebuild } = this.services;
    let head: Position | undefined;
    while (!this.due.isStopping) {
      try {
        head ??= await log.head();
        const isThere = await progress.passed([READ_MODELS], head, SECOND);
        if (isThere && (await rebuild.outdated(ALL_PROJECTIONS)).length === 0) return;
        await delay(READY_LOOKED_AT);
      } catch (error) {
        this.logger.warn({ err: error }, 'the read models can not be asked how far they are');
        await delay(SECOND);
      }
    }
  }
}

/** What sends, as the configuration has it. */
export const webhookAttempts = (services: Services): WebhookAttempts => {
  const { config, log, runner, access, creators, webhookSender, secretCipher, setAsides } = services;
  return new WebhookAttempts(log, runner, access, creators, webhookSender, secretCipher, setAsides, {
    backoff: config.webhookBackoff,
    jitter: () => 2 * Math.random() - 1,
    caches: config.caches,
  });
};

const dueHandlers = (services: Services, attempts: WebhookAttempts, logger: Logger) => {
  const {
    config,
    log,
    runner,
    creators,
    enrollments,
    protections,
    roster,
    scans,
    deindexing,
    cases,
    impersonations,
    memberships,
    access,
    native,
  } = services;
  return [
    new ScanProgress(log, runner, creators, native.engine, cases, access, {
      pollEvery: config.scanPollEvery,
      providerTimeout: config.providerTimeout,
    }),
    new ScanAdmissions(runner, scans),
    new ScheduledScans(creators, scans, access, { scheduleEvery: config.scanScheduleEvery }),
    new EnrollmentSettling(log, creators, enrollments, access, {
      pollEvery: config.creatorSyncEvery,
      providerTimeout: config.providerTimeout,
    }),
    new SlotSettling(protections, config),
    new AuthorizationLapses(creators),
    new CaseWalks(creators, cases, impersonations, memberships, access, services.clock, {
      walkEvery: config.caseSyncEvery,
    }),
    new RosterSync(runner, creators, roster, memberships, access, config.creatorSyncEvery, logger),
    new DeindexProgress(creators, deindexing, access, {
      pollEvery: config.creatorSyncEvery,
      providerTimeout: config.providerTimeout,
    }),
    new WebhookTests(runner, access, attempts),
    new DisabledEndpoints(runner, services.deliveryList, () => services.caughtUp([READ_MODELS], 5 * SECOND)),
  ];
};
