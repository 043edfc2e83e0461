import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import {
  CreatorAccess,
  type EnrolledCreator,
  type FoundCreator,
  isFound,
  scanHandles,
  wasPausedAfter,
} from '#creators';
import { ADVANCED, NOTHING_LEFT, postponed, type StepResult } from '#jobs';
import {
  Clock,
  type CommandContext,
  DomainError,
  type Duration,
  EventLog,
  holds,
  type Instant,
  MINUTE,
  type Position,
  type ScanId,
} from '#kernel';
import {
  cancelQueuedScan,
  type DispatchedScan,
  dispatchScan,
  isDispatched,
  isKnown,
  isPending,
  type PendingScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  resumeScan,
} from '../domain/scan.js';
import { dispatchSettledBy, nextScanEngineStep } from '../domain/scan-engine-steps.js';
import type { ScanJob } from '../domain/scan-job.js';
import { ScansOptions } from '../scans.options.js';
import { type LoadedScan, ScanRepository } from './scan.repository.js';
import { scanCancellation } from './scan-cancellation.js';
import { ScanCompletion } from './scan-completion.js';
import { ScanEngine } from './scan-engine.js';

type LoadedDispatchedScan = LoadedScan<DispatchedScan>;

/** D79: another worker, or this one after a restart, may have an engine. */
const RETRY_WITHOUT_ENGINE: Duration = MINUTE;

/**
 * One step for each run of the job: dispatches the scan, follows its job, or settles its outcome (D47, D48). Rejects with
 * the engine's failure; then the step is repeated.
 */
export class AdvanceScan extends Command<StepResult> {
  constructor(
    readonly scanId: ScanId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AdvanceScan)
export class AdvanceScanHandler implements ICommandHandler<AdvanceScan> {
  constructor(
    private readonly log: EventLog,
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
    private readonly access: AgencyAccess,
    private readonly engine: ScanEngine,
    private readonly completion: ScanCompletion,
    private readonly clock: Clock,
    private readonly options: ScansOptions,
  ) {}

  async execute({ scanId, context }: AdvanceScan): Promise<StepResult> {
    const now = this.clock.now();
    const scan = await this.scans.load(scanId);
    if (!holds(scan, isPending)) return NOTHING_LEFT;
    const denied = await deniedUntil(this.access, scan.state.agencyId, now);
    if (denied !== undefined) return postponed(denied);
    if (!holds(scan, isDispatched)) return this.dispatch(scan, context);
    return nextScanEngineStep(scan.state) === 'settle_outcome'
      ? this.settleOutcome(scan, now, context)
      : this.followJob(scan, now, context);
  }

  private async dispatch(scan: LoadedScan<PendingScan>, context: CommandContext): Promise<StepResult> {
    // Only after the agency was verified, which may take seconds: after a pause or an erasure nothing is sent (D79, D72).
    const creator = await this.creators.find(scan.state.creatorId);
    if (!isFound(creator) || (await this.isPausedSince(creator.state, scan.position))) {
      const reason = scanCancellation(creator.state);
      await this.scans.update(scan, context, (state, now) => cancelQueuedScan(state, now, reason));
      return ADVANCED;
    }
    // D79: nothing could be sent, so the log must not say that it will be.
    if (!this.engine.configured) return postponed(this.clock.now() + RETRY_WITHOUT_ENGINE);
    const handles = scanHandles(creator.state.identity, creator.state.identityToWrite);
    const started = await this.scans.update(scan, context, (state) => dispatchScan(state, handles));
    // No event was appended, so another worker has recorded the intent and may be calling.
    return started.events.length === 0 ? ADVANCED : this.send(started, creator, context);
  }

  /** D79: a pause cancels what was queued before it, even if protection has been activated again since. */
  private async isPausedSince({ creatorId, protection }: EnrolledCreator, queuedAt: Position): Promise<boolean> {
    if (protection.status !== 'active') return true;
    return protection.wasPaused && (await wasPausedAfter(this.log, creatorId, queuedAt));
  }

  /** The same order under the same key, in every repeat. */
  private async send(scan: LoadedScan, creator: FoundCreator, context: CommandContext): Promise<StepResult> {
    if (!holds(scan, isDispatched)) return ADVANCED;
    const { scanId, agencyId, handles } = scan.state;
    const { userId } = creator.state;
    if (userId === null) {
      throw new DomainError('internal_error', {
        cause: new Error(`${scanId} is a scan of a creator without a native user`),
      });
    }
    const effect = await this.engine.dispatch({ reference: scanId, agencyId, userId, handles });
    switch (effect.outcome) {
      case 'done':
        return this.apply(scan, effect.value, creator, context);
      case 'refused':
        await this.scans.update(scan, context, (state, now) => rejectScan(state, effect.code, now));
        return ADVANCED;
      case 'unknown':
        await this.scans.update(scan, context, recordOutcomeUnknown);
        throw effect.error;
    }
  }

  private async followJob(scan: LoadedDispatchedScan, now: Instant, context: CommandContext): Promise<StepResult> {
    const { jobId } = scan.state;
    const job = jobId === null ? undefined : await this.lookUp(scan, () => this.engine.getJob(jobId), context);
    if (job === undefined) {
      await this.scans.update(scan, context, recordOutcomeUnknown);
      return postponed(now + this.options.pollEvery);
    }
    return this.apply(scan, job, undefined, context);
  }

  private async settleOutcome(scan: LoadedDispatchedScan, now: Instant, context: CommandContext): Promise<StepResult> {
    const { scanId, creatorId, jobId } = scan.state;
    const { providerTimeout } = this.options;
    const settledBy = dispatchSettledBy(scan.state, providerTimeout);
    if (now < settledBy) return postponed(settledBy);
    const job = await this.lookUp(scan, () => this.engine.findJob(scanId), context);
    if (job !== undefined) return this.apply(scan, job, undefined, context);
    const uncertain = await this.scans.update(scan, context, recordOutcomeUnknown);
    if (!holds(uncertain, isPending)) return ADVANCED;
    const creator = await this.creators.find(creatorId);
    if (isFound(creator) && creator.state.protection.status === 'active') {
      // A job that existed once is not started a second time; it is looked up until the scan fails.
      if (jobId !== null) throw new DomainError('provider_invalid_response');
      return this.send(await this.scans.update(uncertain, context, resumeScan), creator, context);
    }
    const { state: notFound } = await this.scans.update(uncertain, context, (state, at) =>
      recordJobNotFound(state, providerTimeout, at),
    );
    return isPending(notFound) ? postponed(now + providerTimeout) : ADVANCED;
  }

  /** `creator` if this step has loaded it. */
  private async apply(
    scan: LoadedDispatchedScan,
    job: ScanJob,
    creator: FoundCreator | undefined,
    context: CommandContext,
  ): Promise<StepResult> {
    const recorded = await this.scans.update(scan, context, (state, now) => recordJob(state, job, now));
    if (job.status === 'completed' && holds(recorded, isKnown)) {
      const found = creator ?? (await this.creators.find(scan.state.creatorId));
      if (await this.completion.complete(recorded, job, found, context)) return ADVANCED;
    }
    return isPending(recorded.state) ? postponed(this.clock.now() + this.options.pollEvery) : ADVANCED;
  }

  /** A lookup that fails says as little as one that finds nothing, and the 72 hours continue. */
  private async lookUp(
    scan: LoadedDispatchedScan,
    ask: () => Promise<ScanJob | undefined>,
    context: CommandContext,
  ): Promise<ScanJob | undefined> {
    try {
      return await ask();
    } catch (error) {
      await this.scans.update(scan, context, recordOutcomeUnknown);
      throw error;
    }
  }
}
