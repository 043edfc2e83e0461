import { type AgencyAccess, deniedUntil } from '#agencies';
import type { CaseSynchronisation } from '#cases';
import {
  type CreatorAccess,
  type EnrolledCreator,
  type FoundCreator,
  hasLeft,
  isErased,
  isFound,
  type LoadedCreator,
  latestPause,
  scanHandles,
} from '#creators';
import { dueContext } from '#jobs';
import {
  AgencyPermits,
  type Clock,
  type CommandContext,
  DomainError,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type EventLog,
  holds,
  type Instant,
  MINUTE,
  NO_TIME_LIMIT,
  type Position,
  type ScanId,
  type StoredDueItem,
} from '#kernel';
import type { ScanEngine, ScanJob } from '../application/ports.js';
import type { LoadedScan, ScanRepository } from '../application/scan.repository.js';
import {
  cancelQueuedScan,
  completeScan,
  dispatchScan,
  isDispatched,
  isPending,
  type KnownScan,
  type PendingScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  resumeScan,
} from '../domain/scan.js';
import { scanCancellation } from './scan-cancellation.js';

/** How long a scan waits that no engine can be asked for. */
const WITHOUT_ENGINE: Duration = MINUTE;

type DispatchedScan = LoadedScan<Exclude<PendingScan, { status: 'queued' }>>;

/** ScanQueue of one agency whose findings are read at a time: those of the others must not wait until all are read. */
const COMPLETIONS_PER_AGENCY = 3;
/** How long a completed scan waits for its turn here before it makes room for other agencies. */
const TURN_TIMEOUT: Duration = 200;

/** Advances each pending scan by one step: dispatches it, follows its job, or settles its outcome (D47, D48). */
export class ScanProgress implements DueHandler {
  readonly kind = 'scan';
  readonly concurrency = 16;
  // The findings of one scan may be very many, and are read at the pace of the views.
  readonly maxSlow = 8;
  readonly ttl = NO_TIME_LIMIT;
  private readonly completions = new AgencyPermits(COMPLETIONS_PER_AGENCY);

  constructor(
    private readonly log: EventLog,
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
    private readonly engine: ScanEngine,
    private readonly findings: CaseSynchronisation,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
    private readonly options: { readonly pollEvery: Duration; readonly providerTimeout: Duration },
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const context = dueContext(item);
    const scan = await this.scans.load(item.subject as ScanId);
    if (!holds(scan, isPending)) return 'idle';
    const denied = await deniedUntil(this.access, scan.state.agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    if (!holds(scan, isDispatched)) return this.dispatch(scan, context);
    const { status, jobId } = scan.state;
    return status === 'uncertain' || (status === 'dispatching' && jobId === null)
      ? this.reconcile(scan, now, context)
      : this.follow(scan, now, context);
  }

  private async dispatch(scan: LoadedScan<PendingScan>, context: CommandContext): Promise<DueOutcome> {
    const creator = await this.creators.find(scan.state.creatorId);
    if (!isFound(creator) || (await this.isPausedSince(creator.state, scan.position))) {
      const reason = scanCancellation(creator.state);
      await this.scans.update(scan, context, (state, now) => cancelQueuedScan(state, now, reason));
      return 'done';
    }
    // D79: nothing could be sent, so that nothing says that it will be.
    if (!this.engine.configured) return { retryAt: this.clock.now() + WITHOUT_ENGINE };
    const handles = scanHandles(creator.state.identity, creator.state.identityToWrite);
    const intended = await this.scans.update(scan, context, (state) => dispatchScan(state, handles));
    // Another worker has recorded the intent, and its call may be under way.
    return intended.events.length === 0 ? 'done' : this.send(intended, creator, context);
  }

  /** D79: a pause cancels what was queued before it, also when protection has been activated again since. */
  private async isPausedSince({ creatorId, protection }: EnrolledCreator, queuedAt: Position): Promise<boolean> {
    if (protection.status !== 'active') return true;
    return protection.wasPaused && queuedAt < (await latestPause(this.log, creatorId));
  }

  /** The same order under the same key, however often it is sent. */
  private async send(scan: LoadedScan, creator: FoundCreator, context: CommandContext): Promise<DueOutcome> {
    if (!holds(scan, isDispatched)) return 'done';
    const { scanId, agencyId, handles } = scan.state;
    const { userId } = creator.state;
    if (userId === null) throw new DomainError('internal_error');
    const effect = await this.engine.dispatch({ reference: scanId, agencyId, userId, handles });
    switch (effect.outcome) {
      case 'done':
        return this.apply(scan, effect.value, creator, context);
      case 'refused':
        await this.scans.update(scan, context, (state, now) => rejectScan(state, effect.code, now));
        return 'done';
      case 'unknown':
        await this.scans.update(scan, context, recordOutcomeUnknown);
        throw effect.error;
    }
  }

  private async follow(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { jobId } = scan.state;
    const job = jobId === null ? undefined : await this.lookUp(scan, () => this.engine.getJob(jobId), context);
    if (job === undefined) {
      await this.scans.update(scan, context, recordOutcomeUnknown);
      return { retryAt: now + this.options.pollEvery };
    }
    return this.apply(scan, job, undefined, context);
  }

  private async reconcile(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { scanId, creatorId, jobId, dispatchedAt } = scan.state;
    const { providerTimeout } = this.options;
    // The call that was begun may still be under way, also where its answer was lost here.
    const settledBy = jobId === null ? dispatchedAt + 2 * providerTimeout : now;
    if (now < settledBy) return { retryAt: settledBy };
    const job = await this.lookUp(scan, () => this.engine.findJob(scanId), context);
    if (job !== undefined) return this.apply(scan, job, undefined, context);
    const uncertain = await this.scans.update(scan, context, recordOutcomeUnknown);
    if (!holds(uncertain, isPending)) return 'done';
    const creator = await this.creators.find(creatorId);
    if (isFound(creator) && creator.state.protection.status === 'active') {
      // A job that was there once is not started a second time; it is looked for until the scan is given up.
      if (jobId !== null) throw new DomainError('provider_invalid_response');
      return this.send(await this.scans.update(uncertain, context, resumeScan), creator, context);
    }
    const { state: notFound } = await this.scans.update(uncertain, context, (state, at) =>
      recordJobNotFound(state, providerTimeout, at),
    );
    return isPending(notFound) ? { retryAt: now + providerTimeout } : 'done';
  }

  /** `creator` where this step has loaded it. */
  private async apply(
    scan: DispatchedScan,
    job: ScanJob,
    creator: FoundCreator | undefined,
    context: CommandContext,
  ): Promise<DueOutcome> {
    const recorded = await this.scans.update(scan, context, (state, now) => recordJob(state, job, now));
    if (job.status === 'completed') {
      return this.complete(
        recorded,
        scan.state,
        job,
        creator ?? (await this.creators.find(scan.state.creatorId)),
        context,
      );
    }
    return isPending(recorded.state) ? { retryAt: this.clock.now() + this.options.pollEvery } : 'done';
  }

  /** D48: the findings first, attributed to the scan; only then is it said to be complete. */
  private async complete(
    recorded: LoadedScan,
    { scanId, agencyId, workspaceId, creatorId, createdAt }: KnownScan,
    job: ScanJob,
    creator: LoadedCreator,
    context: CommandContext,
  ): Promise<DueOutcome> {
    if (!isFound(creator) || creator.state.userId === null) throw new DomainError('internal_error');
    // D72: nothing is observed any more of a creator whose data was erased.
    if (!isErased(creator.state)) {
      const linked = { creatorId, agencyId, workspaceId, userId: creator.state.userId };
      const finished = { scanId, jobId: job.jobId, createdAt };
      const read = () => this.findings.recent(linked, context, { finished });
      const outcome = await this.completions.run(agencyId, read, TURN_TIMEOUT);
      const later = { retryAt: this.clock.now() + this.options.pollEvery };
      if (outcome === undefined) return later;
      if (outcome === 'not_a_member') {
        const { state: seen } = await this.creators.reportMissing(creator, context);
        // Of a creator that has left there are no findings to wait for. One that is missing may return, and that is no
        // failure: three of those would set the scan aside for good (D67).
        if (seen.status === 'known' && !hasLeft(seen)) return later;
      }
    }
    await this.scans.update(recorded, context, (state, now) => completeScan(state, job, now));
    return 'done';
  }

  /** A lookup that fails says as little as one that finds nothing, and the 72 hours run on. */
  private async lookUp(
    scan: DispatchedScan,
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
