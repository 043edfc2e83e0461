import { type AgencyAccess, deniedUntil } from '#agencies';
import type { CaseSynchronisation } from '#cases';
import { type Creators, type EnrolledCreator, hasLeft, isErased, latestPause, scanHandles } from '#creators';
import { dueContext } from '#jobs';
import {
  AgencyPermits,
  type CommandContext,
  type CommandRunner,
  DomainError,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type EventLog,
  type Instant,
  MINUTE,
  NO_TIME_LIMIT,
  type Position,
  type ScanId,
  type StoredDueItem,
} from '#kernel';
import type { ScanEngine, ScanJob } from '../application/ports.js';
import type { ScanEvent } from '../domain/scan.events.js';
import {
  cancelQueuedScan,
  completeScan,
  dispatchScan,
  isPending,
  type PendingScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  resumeScan,
  type Scan,
  scanDecider,
} from '../domain/scan.js';
import { scanCancellation } from './scan-cancellation.js';

/** How long a scan waits that no engine can be asked for. */
const WITHOUT_ENGINE: Duration = MINUTE;

type DispatchedScan = Exclude<PendingScan, { status: 'queued' }>;

/** Scans of one agency whose findings are read at a time: those of the others must not wait until all are read. */
const COMPLETIONS_PER_AGENCY = 3;
/** How long a completed scan waits for its turn here before it makes room for other agencies. */
const TURN_TIMEOUT: Duration = 200;

/** Takes each pending scan one step on: dispatches it, follows its job, settles what became of it (D47, D48). */
export class ScanProgress implements DueHandler {
  readonly kind = 'scan';
  readonly concurrency = 16;
  // The findings of one scan may be very many, and are read at the pace of the views.
  readonly maxSlow = 8;
  readonly ttl = NO_TIME_LIMIT;
  private readonly completions = new AgencyPermits(COMPLETIONS_PER_AGENCY);

  constructor(
    private readonly log: EventLog,
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly engine: ScanEngine,
    private readonly findings: CaseSynchronisation,
    private readonly access: AgencyAccess,
    private readonly options: { readonly pollEvery: Duration; readonly providerTimeout: Duration },
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const context = dueContext(item);
    const { state } = await this.runner.load(scanDecider, item.subject);
    if (!isPending(state)) return 'idle';
    const denied = await deniedUntil(this.access, state.agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    switch (state.status) {
      case 'queued':
        return this.dispatch(state.scanId, context);
      case 'running':
        return this.follow(state, now, context);
      case 'dispatching':
        if (state.jobId !== null) return this.follow(state, now, context);
        return this.reconcile(state, now, context);
      case 'uncertain':
        return this.reconcile(state, now, context);
    }
  }

  private async dispatch(scanId: ScanId, context: CommandContext): Promise<DueOutcome> {
    const { state: scan, position } = await this.runner.load(scanDecider, scanId);
    if (scan.status !== 'queued') return 'done';
    const creator = await this.creators.load(scan.creatorId);
    if (creator.status === 'unknown' || (await this.isPausedSince(creator, position))) {
      await this.record(scanId, context, (state, now) => cancelQueuedScan(state, now, scanCancellation(creator)));
      return 'done';
    }
    // D79: nothing could be sent, so that nothing says that it will be.
    if (!this.engine.configured) return { retryAt: this.runner.now() + WITHOUT_ENGINE };
    const handles = scanHandles(creator.identity, creator.identityToWrite);
    const { state: intended, events } = await this.runner.run(scanDecider, scanId, context, (state) =>
      dispatchScan(state, handles),
    );
    // Another worker has recorded the intent, and its call may be under way.
    return events.length === 0 ? 'done' : this.send(intended, context);
  }

  /** D79: a pause cancels what was queued before it, also when protection has been activated again since. */
  private async isPausedSince({ creatorId, protection }: EnrolledCreator, queuedAt: Position): Promise<boolean> {
    if (protection.status !== 'active') return true;
    return protection.wasPaused && queuedAt < (await latestPause(this.log, creatorId));
  }

  /** The same order under the same key, however often it is sent. */
  private async send(scan: Scan, context: CommandContext): Promise<DueOutcome> {
    if (!isPending(scan) || scan.status === 'queued') return 'done';
    const { scanId, creatorId, agencyId, handles } = scan;
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'unknown' || creator.userId === null) throw new DomainError('internal_error');
    const { userId } = creator;
    const effect = await this.engine.dispatch({ reference: scanId, agencyId, userId, handles });
    switch (effect.outcome) {
      case 'done':
        return this.apply(scan, effect.value, context);
      case 'refused':
        await this.record(scanId, context, (state, now) => rejectScan(state, effect.code, now));
        return 'done';
      case 'unknown':
        await this.recordOutcomeUnknown(scanId, context);
        throw effect.error;
    }
  }

  private async follow(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { scanId, jobId } = scan;
    const job = jobId === null ? undefined : await this.lookUp(scanId, () => this.engine.getJob(jobId), context);
    if (job === undefined) {
      await this.recordOutcomeUnknown(scanId, context);
      return { retryAt: now + this.options.pollEvery };
    }
    return this.apply(scan, job, context);
  }

  private async reconcile(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { scanId, creatorId } = scan;
    // The call that was begun may still be under way, also where its answer was lost here.
    const settledBy = scan.jobId === null ? scan.dispatchedAt + 2 * this.options.providerTimeout : now;
    if (now < settledBy) return { retryAt: settledBy };
    const job = await this.lookUp(scanId, () => this.engine.findJob(scanId), context);
    if (job !== undefined) return this.apply(scan, job, context);
    const uncertain = await this.recordOutcomeUnknown(scanId, context);
    if (!isPending(uncertain)) return 'done';
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'known' && creator.protection.status === 'active') {
      // A job that was there once is not started a second time; it is looked for until the scan is given up.
      if (scan.jobId !== null) throw new DomainError('provider_invalid_response');
      return this.send(await this.record(scanId, context, resumeScan), context);
    }
    const { providerTimeout } = this.options;
    const notFound = await this.record(scanId, context, (state, at) => recordJobNotFound(state, providerTimeout, at));
    return isPending(notFound) ? { retryAt: now + providerTimeout } : 'done';
  }

  private async apply(scan: DispatchedScan, job: ScanJob, context: CommandContext): Promise<DueOutcome> {
    const { scanId } = scan;
    const recorded = await this.record(scanId, context, (state, now) => recordJob(state, job, now));
    if (job.status === 'completed') return this.complete(scan, job, context);
    return isPending(recorded) ? { retryAt: this.runner.now() + this.options.pollEvery } : 'done';
  }

  /** D48: the findings first, attributed to the scan; only then is it said to be complete. */
  private async complete(scan: DispatchedScan, job: ScanJob, context: CommandContext): Promise<DueOutcome> {
    const { scanId, creatorId, createdAt } = scan;
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'unknown' || creator.userId === null) throw new DomainError('internal_error');
    // D72: nothing is observed any more of a creator whose data was erased.
    if (isErased(creator)) {
      await this.record(scanId, context, (state, now) => completeScan(state, job, now));
      return 'done';
    }
    const linked = { creatorId, agencyId: scan.agencyId, workspaceId: scan.workspaceId, userId: creator.userId };
    const finished = { scanId, jobId: job.jobId, createdAt };
    const read = () => this.findings.recent(linked, context, { finished });
    const outcome = await this.completions.run(scan.agencyId, read, TURN_TIMEOUT);
    if (outcome === undefined) return { retryAt: this.runner.now() + this.options.pollEvery };
    if (outcome === 'not_a_member') {
      const { state: seen } = await this.creators.recordMissing(creatorId, context);
      // Of a creator that has left there are no findings to wait for. One that is missing may return, and that is no
      // failure: three of those would set the scan aside for good (D67).
      if (seen.status === 'known' && !hasLeft(seen)) return { retryAt: this.runner.now() + this.options.pollEvery };
    }
    await this.record(scanId, context, (state, now) => completeScan(state, job, now));
    return 'done';
  }

  /** A lookup that fails says as little as one that finds nothing, and the 72 hours run on. */
  private async lookUp(
    scanId: ScanId,
    ask: () => Promise<ScanJob | undefined>,
    context: CommandContext,
  ): Promise<ScanJob | undefined> {
    try {
      return await ask();
    } catch (error) {
      await this.recordOutcomeUnknown(scanId, context);
      throw error;
    }
  }

  private recordOutcomeUnknown(scanId: ScanId, context: CommandContext): Promise<Scan> {
    return this.record(scanId, context, recordOutcomeUnknown);
  }

  private async record(
    scanId: ScanId,
    context: CommandContext,
    decision: (state: Scan, now: Instant) => ScanEvent[],
  ): Promise<Scan> {
    return (await this.runner.run(scanDecider, scanId, context, decision)).state;
  }
}
