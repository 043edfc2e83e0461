import { setTimeout as delay } from 'node:timers/promises';
import { DueRunner, type LogConsumer, type Logger, LogRunner, type Position, SECOND } from '#kernel';
import {
  Announcements,
  authorizationLapses,
  caseWalks,
  DeindexProgress,
  EnrollmentSettling,
  enrollmentCountProcess,
  FailingEndpoints,
  meteringProcess,
  Publisher,
  RosterSync,
  ScanProgress,
  scanAdmissions,
  scanPlacesProcess,
  scheduledScans,
  slotSettling,
  WebhookAttempts,
  WebhookDispatch,
  WebhookScheduling,
  webhookTests,
} from '#processes';
import { ALL_PROJECTIONS, READ_MODELS, ReadModelsConsumer } from '#read-models';
import type { Services } from '../../composition/src/index.js';
import { SealLoop } from './seal-loop.js';

const SWEEP_EVERY = 60_000;
const TIME_TO_END = 6_000;
const READY_LOOKED_AT = 50;

/** Projections, processes, publishing and due work: everything that happens between requests. */
export class Worker {
  private readonly runners: readonly LogRunner[];
  readonly due: DueRunner;
  private readonly seals: SealLoop;
  readonly webhooks: WebhookDispatch;
  private readonly stopNudging: () => void;
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: Services,
    private readonly logger: Logger,
  ) {
    const { log, documents, leases, progress, dueWork, clock } = services;
    this.runners = consumers(services).map(
      (consumer) => new LogRunner(consumer, log, documents, leases, progress, logger),
    );
    const attempts = webhookAttempts(services);
    this.due = new DueRunner(dueWork, dueHandlers(services, attempts), clock, logger);
    this.seals = new SealLoop(services.sealing, leases, clock, logger);
    this.webhooks = new WebhookDispatch(services.deliveryList, attempts, leases, clock, logger);
    this.stopNudging = progress.onReport(() => {
      this.due.nudge();
      this.webhooks.nudge();
    });
  }

  start(): void {
    for (const runner of this.runners) runner.start();
    this.seals.start();
    this.sweeping = setInterval(() => this.sweep(), SWEEP_EVERY);
    this.sweeping.unref();
    // Nothing is claimed from a read model that does not know what the log held at the start.
    const ready = this.readModelsReady();
    this.due.start(ready);
    this.webhooks.start(ready);
  }

  /** Claims nothing more; what is under way has its time to end, and is given back after that. */
  async beginNothing(): Promise<void> {
    this.stopNudging();
    clearInterval(this.sweeping);
    const { dueWork, clock } = this.services;
    const ended = Promise.all([this.due.stop(), this.webhooks.stop()]);
    await Promise.race([ended, delay(TIME_TO_END, undefined, { ref: false })]);
    await dueWork.giveBackClaims(clock.now()).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'claims could not be given back; they end by themselves');
    });
  }

  /** Begins nothing more, and lets go of everything that others may take up. */
  async stop(): Promise<void> {
    await this.beginNothing();
    await Promise.all([...this.runners, this.seals].map((runner) => runner.stop()));
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

const consumers = ({ config, rebuild, log, documents, runner, scans }: Services): LogConsumer[] => [
  new ReadModelsConsumer(documents, rebuild),
  new Publisher(log, new Announcements(log, config.faviconTemplate)),
  meteringProcess(runner),
  scanPlacesProcess(runner, scans),
  enrollmentCountProcess(runner),
  new WebhookScheduling(runner, documents),
];

/** What sends, as the configuration has it. */
export const webhookAttempts = (services: Services): WebhookAttempts => {
  const { config, log, runner, access, creators, deliveryList, webhookSender, secretSeal } = services;
  const failing = new FailingEndpoints(runner, deliveryList, () => services.caughtUp([READ_MODELS], 5 * SECOND));
  return new WebhookAttempts(log, runner, access, creators, failing, webhookSender, secretSeal, {
    backoff: config.webhookBackoff,
    jitter: () => 2 * Math.random() - 1,
  });
};

const dueHandlers = (services: Services, attempts: WebhookAttempts) => {
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
    access,
    native,
  } = services;
  return [
    new ScanProgress(runner, creators, native.engine, cases, access, {
      pollEvery: config.scanPollEvery,
      providerTimeout: config.providerTimeout,
    }),
    scanAdmissions(runner, scans),
    scheduledScans(creators, scans, access, config.scanScheduleEvery),
    new EnrollmentSettling(log, creators, enrollments, access, config.creatorSyncEvery),
    slotSettling(protections),
    authorizationLapses(creators),
    caseWalks(creators, cases, impersonations, access, config.caseSyncEvery),
    new RosterSync(runner, creators, roster, access, config.creatorSyncEvery),
    new DeindexProgress(creators, deindexing, access, {
      pollEvery: config.creatorSyncEvery,
      providerTimeout: config.providerTimeout,
    }),
    webhookTests(runner, access, attempts),
  ];
};
