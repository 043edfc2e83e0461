import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { ALL_PROJECTIONS, DUE_JOBS } from '#contexts';
import { InvitationMails } from '#creators';
import { Announcements, VisibleEvents } from '#event-feed';
import { Checkpoints, CLAIM_TTL, DueRunner, DueWork, Leases, type LogConsumer, LogRunner, SetAsides } from '#jobs';
import { Clock, DocumentStore, EventLog, Logger, type OptionsOf, type Position, Progress, SECOND } from '#kernel';
import { ErasureFollower } from '#privacy';
import { byRunner, READ_MODELS, Rebuild } from '#projections';
import { LastSeals, Sealing, SealLoop } from '#tamper-evidence';
import { WebhookDispatch } from '#webhooks';
import { logConsumers } from '../../service/src/log-consumers.js';

const SWEEP_INTERVAL = 60_000;
const STOP_TIMEOUT = 6_000;
const READINESS_POLL_INTERVAL = 50;

/** Runs projections, reactions, publishing and due work: everything that happens between requests. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  /** What it does because of events. */
  readonly consumers: readonly LogConsumer[];
  readonly due: DueRunner;
  private readonly runners: readonly LogRunner[];
  private readonly seals: SealLoop;
  private readonly stopNotifying: () => void;
  private sweeping: NodeJS.Timeout | undefined;
  private claimsEnded: Promise<void> = Promise.resolve();

  constructor(
    container: ModuleRef,
    commands: CommandBus,
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly progress: Progress,
    private readonly rebuild: Rebuild,
    private readonly dueWork: DueWork,
    private readonly erasures: ErasureFollower,
    readonly webhooks: WebhookDispatch,
    private readonly mails: InvitationMails,
    sealing: Sealing,
    lastSeals: LastSeals,
    leases: Leases,
    setAsides: SetAsides,
    checkpoints: Checkpoints,
    announcements: Announcements,
    events: VisibleEvents,
  ) {
    this.consumers = logConsumers(container);
    this.runners = this.consumers.map(
      (consumer) => new LogRunner(consumer, log, documents, leases, progress, setAsides, logger, checkpoints),
    );
    erasures.onErasure(() => announcements.forget());
    erasures.onErasure(() => events.forget());
    const optionsOf: OptionsOf = (token) => container.get(token, { strict: false });
    this.due = new DueRunner(dueWork, DUE_JOBS, commands, optionsOf, clock, setAsides, logger);
    this.seals = new SealLoop(sealing, leases, clock, logger, lastSeals);
    this.stopNotifying = progress.onReport(() => {
      this.due.notify();
      this.webhooks.notify();
    });
  }

  onApplicationBootstrap(): void {
    this.erasures.start();
    for (const runner of this.runners) runner.start();
    this.seals.start();
    this.sweeping = setInterval(() => this.sweep(), SWEEP_INTERVAL);
    this.sweeping.unref();
    // Nothing is claimed from a read model that is behind the log's head at the start.
    const ready = this.readModelsReady();
    this.due.start(ready);
    this.webhooks.start(ready);
  }

  /** Does not wait for work in flight: HTTP drains at the same time, because both must fit into the time of a stop. */
  beforeApplicationShutdown(): void {
    this.claimsEnded = this.stopClaiming();
  }

  /** The runners continue until here, so that a write in progress still sees its read model. */
  async onApplicationShutdown(): Promise<void> {
    await this.claimsEnded;
    await Promise.all([...this.runners, this.seals].map((runner) => runner.stop()));
  }

  /** Work in progress gets some time to end; then its claims are returned. */
  private async stopClaiming(): Promise<void> {
    this.stopNotifying();
    clearInterval(this.sweeping);
    const { dueWork, clock } = this;
    const ended = Promise.all([this.due.stop(), this.webhooks.stop(), this.seals.stop()]);
    await Promise.race([ended, delay(STOP_TIMEOUT, undefined, { ref: false })]);
    await dueWork.releaseOwnClaims(clock.now()).catch((error: unknown) => {
      this.logger.warn({ err: error }, `could not release claims; they expire in ${CLAIM_TTL / SECOND} s`);
    });
  }

  /** Deletes the request counters of past minutes and the counts of past mails, which nothing reads any more. */
  private sweep(): void {
    const { documents, clock, mails } = this;
    Promise.all([documents.sweepCounters(clock.now()), mails.sweep()]).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not delete past counters; the next sweep tries again');
    });
  }

  /**
   * Retries without limit while the stores cannot be reached or the read models are rebuilt, because nothing may be
   * claimed until then.
   */
  private async readModelsReady(): Promise<void> {
    const { log, progress, rebuild } = this;
    let head: Position | undefined;
    while (!this.due.isStopping) {
      try {
        head ??= await log.head();
        const isThere = await progress.passed([READ_MODELS], head, SECOND);
        if (isThere && (await rebuild.outdated(byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? [])).length === 0) return;
        await delay(READINESS_POLL_INTERVAL);
      } catch (error) {
        this.logger.warn(
          { err: error },
          'could not read how far the read models are; nothing is claimed, trying again in 1 s',
        );
        await delay(SECOND);
      }
    }
  }
}
