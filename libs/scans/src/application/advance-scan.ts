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
import {
  Clock,
  type CommandContext,
  DomainError,
  type DueOutcome,
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
  recordJobNotFound,
  recordOutcomeUnknown,
  resumeScan,
} from '../domain/scan.js';
import { dispatchSettledBy, nextScanEngineStep, recordDispatch, recordLookup } from '../domain/scan-engine-steps.js';
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
 * One step for each run of the job: dispatches the scan, follows its job, or settles its outcome (D47, D48). Each step is
 * recorded, so another worker can take the next one. Rejects with the engine's failure; then the step is repeated.
 */
export class AdvanceScan extends Command<DueOutcome> {
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

  async execute({ scanId, context }: AdvanceScan): Promise<DueOutcome> {
    const scan = await this.scans.load(scanId);
    if (!holds(scan, isPending)) return 'idle';
    const now = this.clock.now();
    const until = await this.unavailableUntil(scan.state, now);
    if (now < until) return { retryAt: until };
    if (!holds(scan, isDispatched)) return this.dispatch(scan, context);
    switch (nextScanEngineStep(scan.state)) {
      case 'follow_job':
        return this.followJob(scan, context);
      case 'settle_outcome':
        return this.settleOutcome(scan, context);
    }
  }

  /** While the agency is denied (D19), and while an earlier call may still be running. */
  private async unavailableUntil(scan: PendingScan, now: Instant): Promise<Instant> {
    const denied = await deniedUntil(this.access, scan.agencyId, now);
    return denied ?? dispatchSettledBy(scan, this.options.providerTimeout);
  }

  private async dispatch(scan: LoadedScan<PendingScan>, context: CommandContext): Promise<DueOutcome> {
    // Only after the agency was verified, which may take seconds: after a pause or an erasure nothing is sent (D79, D72).
    const creator = await this.creators.find(scan.state.creatorId);
    if (!isFound(creator) || (await this.isPausedSince(creator.state, scan.position))) {
      const reason = scanCancellation(creator.state);
      await this.scans.update(scan, context, (state, now) => cancelQueuedScan(state, now, reason));
      return 'done';
    }
    // D79: nothing could be sent, so the log must not say that it will be.
    if (!this.engine.configured) return { retryAt: this.clock.now() + RETRY_WITHOUT_ENGINE };
    const handles = scanHandles(creator.state.identity, creator.state.identityToWrite);
    const started = await this.scans.update(scan, context, (state) => dispatchScan(state, handles));
    // No event was appended, so another worker has recorded the intent and may be calling.
    return started.events.length === 0 ? 'done' : this.send(started, creator, context);
  }

  /** D79: a pause cancels what was queued before it, even if protection has been activated again since. */
  private async isPausedSince({ creatorId, protection }: EnrolledCreator, queuedAt: Position): Promise<boolean> {
    if (protection.status !== 'active') return true;
    return protection.wasPaused && (await wasPausedAfter(this.log, creatorId, queuedAt));
  }

  /** The same order under the same key, in every repeat. */
  private async send(scan: LoadedScan, creator: FoundCreator, context: CommandContext): Promise<DueOutcome> {
    if (!holds(scan, isDispatched)) return 'done';
    const { scanId, agencyId, handles } = scan.state;
    const { userId } = creator.state;
    if (userId === null) {
      throw new DomainError('internal_error', {
        cause: new Error(`${scanId} is a scan of a creator without a native user`),
      });
    }
    const effect = await this.engine.dispatch({ reference: scanId, agencyId, userId, handles });
    const recorded = await this.scans.update(scan, context, (state, now) => recordDispatch(state, effect, now));
    if (effect.outcome === 'unknown') throw effect.error;
    const job = effect.outcome === 'done' ? effect.value : undefined;
    return this.afterAnswer(recorded, job, creator, context);
  }

  private async followJob(scan: LoadedDispatchedScan, context: CommandContext): Promise<DueOutcome> {
    const { jobId } = scan.state;
    const find = async () => (jobId === null ? undefined : this.engine.getJob(jobId));
    const { job, recorded } = await this.lookUp(scan, find, context);
    return this.afterAnswer(recorded, job, undefined, context);
  }

  private async settleOutcome(scan: LoadedDispatchedScan, context: CommandContext): Promise<DueOutcome> {
    const { job, recorded } = await this.lookUp(scan, () => this.engine.findJob(scan.id), context);
    if (job !== undefined || !holds(recorded, isPending)) return this.afterAnswer(recorded, job, undefined, context);
    const creator = await this.creators.find(scan.state.creatorId);
    if (isFound(creator) && creator.state.protection.status === 'active') {
      // A job that existed once is not started a second time; it is looked up until the scan fails.
      if (scan.state.jobId !== null) throw new DomainError('provider_invalid_response');
      return this.send(await this.scans.update(recorded, context, resumeScan), creator, context);
    }
    const { providerTimeout } = this.options;
    const { state: notFound } = await this.scans.update(recorded, context, (state, now) =>
      recordJobNotFound(state, providerTimeout, now),
    );
    return isPending(notFound) ? { retryAt: this.clock.now() + providerTimeout } : 'done';
  }

  /** The job is looked up again until the scan has ended. `creator` if this step has loaded it. */
  private async afterAnswer(
    scan: LoadedScan,
    job: ScanJob | undefined,
    creator: FoundCreator | undefined,
    context: CommandContext,
  ): Promise<DueOutcome> {
    if (job?.status === 'completed' && holds(scan, isKnown)) {
      const found = creator ?? (await this.creators.find(scan.state.creatorId));
      if (await this.completion.complete(scan, job, found, context)) return 'done';
    }
    return isPending(scan.state) ? { retryAt: this.clock.now() + this.options.pollEvery } : 'done';
  }

  private async lookUp(
    scan: LoadedDispatchedScan,
    find: () => Promise<ScanJob | undefined>,
    context: CommandContext,
  ): Promise<{ job: ScanJob | undefined; recorded: LoadedScan }> {
    const job = await find().catch(async (error: unknown) => {
      // A look-up that fails says as little as one that finds nothing, and the 72 hours continue.
      await this.scans.update(scan, context, recordOutcomeUnknown);
      throw error;
    });
    const recorded = await this.scans.update(scan, context, (state, now) => recordLookup(state, job, now));
    return { job, recorded };
  }
}
