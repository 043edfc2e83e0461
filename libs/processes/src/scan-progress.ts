import type { AgencyAccess } from '#agencies';
import type { CaseSynchronisation } from '#cases';
import { type Creators, hasLeft, scanHandles } from '#creators';
import {
  type CommandContext,
  type CommandRunner,
  DomainError,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type Instant,
  type ScanId,
  type StoredDueItem,
} from '#kernel';
import {
  cancelQueuedScan,
  completeScan,
  dispatchScan,
  doubtScan,
  isPending,
  missScan,
  type PendingScan,
  recordJob,
  rejectScan,
  resumeScan,
  type Scan,
  type ScanEngine,
  type ScanEvent,
  type ScanJob,
  scanDecider,
} from '#scans';
import { deniedUntil } from './agency-gate.js';
import { dueContext } from './due-context.js';

type DispatchedScan = Exclude<PendingScan, { status: 'queued' }>;

/** Takes each pending scan one step on: dispatches it, follows its job, settles what became of it (D47, D48). */
export class ScanProgress implements DueHandler {
  readonly kind = 'scan';
  readonly concurrency = 16;

  constructor(
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
    if (!isPending(state)) return 'moved_on';
    const denied = await deniedUntil(this.access, state.agencyId, now);
    if (denied !== undefined) return { again: denied };
    switch (state.status) {
      case 'queued':
        return this.dispatch(state.scanId, context);
      case 'running':
        return this.follow(state, now, context);
      case 'dispatching': {
        if (state.jobId !== null) return this.follow(state, now, context);
        // The call that was begun may still be under way.
        const settledBy = state.dispatchedAt + 2 * this.options.providerTimeout;
        return now < settledBy ? { again: settledBy } : this.reconcile(state, now, context);
      }
      case 'uncertain':
        return this.reconcile(state, now, context);
    }
  }

  private async dispatch(scanId: ScanId, context: CommandContext): Promise<DueOutcome> {
    const { state: scan } = await this.runner.load(scanDecider, scanId);
    if (scan.status !== 'queued') return 'moved_on';
    const creator = await this.creators.load(scan.creatorId);
    if (creator.status === 'unknown' || creator.protection.status !== 'active') {
      await this.record(scanId, context, cancelQueuedScan);
      return 'moved_on';
    }
    const handles = scanHandles(creator.identity, creator.identityToWrite);
    const intended = await this.record(scanId, context, (state) => dispatchScan(state, handles));
    return this.send(intended, context);
  }

  /** The same order under the same key, however often it is sent. */
  private async send(scan: Scan, context: CommandContext): Promise<DueOutcome> {
    if (!isPending(scan) || scan.status === 'queued') return 'moved_on';
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
        return 'moved_on';
      case 'unknown':
        await this.doubt(scanId, context);
        throw effect.error;
    }
  }

  private async follow(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { scanId, jobId } = scan;
    const job = jobId === null ? undefined : await this.lookUp(scanId, () => this.engine.getJob(jobId), context);
    if (job === undefined) {
      await this.doubt(scanId, context);
      return { again: now + this.options.pollEvery };
    }
    return this.apply(scan, job, context);
  }

  private async reconcile(scan: DispatchedScan, now: Instant, context: CommandContext): Promise<DueOutcome> {
    const { scanId, creatorId } = scan;
    const job = await this.lookUp(scanId, () => this.engine.findJob(scanId), context);
    if (job !== undefined) return this.apply(scan, job, context);
    const doubted = await this.doubt(scanId, context);
    if (!isPending(doubted)) return 'moved_on';
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'known' && creator.protection.status === 'active') {
      // A job that was there once is not started a second time; it is looked for until the scan is given up.
      if (scan.jobId !== null) throw new DomainError('provider_invalid_response');
      return this.send(await this.record(scanId, context, resumeScan), context);
    }
    const { providerTimeout } = this.options;
    const missed = await this.record(scanId, context, (state, at) => missScan(state, providerTimeout, at));
    return isPending(missed) ? { again: now + providerTimeout } : 'moved_on';
  }

  private async apply(scan: DispatchedScan, job: ScanJob, context: CommandContext): Promise<DueOutcome> {
    const { scanId } = scan;
    const recorded = await this.record(scanId, context, (state, now) => recordJob(state, job, now));
    if (job.status === 'completed') return this.complete(scan, job, context);
    return isPending(recorded) ? { again: this.runner.now() + this.options.pollEvery } : 'moved_on';
  }

  /** D48: the findings first, attributed to the scan; only then is it said to be complete. */
  private async complete(scan: DispatchedScan, job: ScanJob, context: CommandContext): Promise<DueOutcome> {
    const { scanId, creatorId, createdAt } = scan;
    const creator = await this.creators.load(creatorId);
    if (creator.status === 'unknown' || creator.userId === null) throw new DomainError('internal_error');
    const linked = { creatorId, agencyId: scan.agencyId, workspaceId: scan.workspaceId, userId: creator.userId };
    const outcome = await this.findings.recent(linked, context, { scanId, jobId: job.jobId, createdAt });
    if (outcome === 'not_a_member') {
      const seen = await this.creators.recordMissing(creatorId, context);
      // Of a creator that has left there are no findings to wait for.
      if (seen.status === 'known' && !hasLeft(seen)) throw new DomainError('not_found');
    }
    await this.record(scanId, context, (state, now) => completeScan(state, job, now));
    return 'moved_on';
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
      await this.doubt(scanId, context);
      throw error;
    }
  }

  private doubt(scanId: ScanId, context: CommandContext): Promise<Scan> {
    return this.record(scanId, context, doubtScan);
  }

  private async record(
    scanId: ScanId,
    context: CommandContext,
    decision: (state: Scan, now: Instant) => ScanEvent[],
  ): Promise<Scan> {
    return (await this.runner.run(scanDecider, scanId, context, decision)).state;
  }
}
