import {
  type AgencyId,
  type CaseId,
  type CommandContext,
  type CommandRunner,
  type CreatorId,
  type Duration,
  type Instant,
  MINUTE,
  type ScanId,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import { caseDecider, caseIdOf, observeLeak, observeRemoval, sameFinding } from './case.js';
import type { KnownCases, LeakPlatform, NativeLeak, ScanProvenance, SyncMarks } from './ports.js';
import type { CaseRow } from './public-case.js';

/** D50: what is read again, in case a clock or a late write of the platform's was behind. */
export const SYNC_OVERLAP: Duration = 5 * MINUTE;
const LEAKS_PER_PAGE = 200;
const APPENDS_AT_ONCE = 100;

export interface LinkedCreator {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
}

/** A scan whose job is known to the caller, and to the read model perhaps not yet. */
export interface FinishedScan {
  readonly scanId: ScanId;
  readonly jobId: string;
  readonly createdAt: Instant;
}

/** Where the platform does not show the creator, nothing is read, and nothing is concluded about its cases. */
export type Synchronised = 'synchronised' | 'not_a_member';

/** Brings the cases of a creator in step with its native leak records. An unchanged creator appends nothing. */
export class CaseSynchronisation {
  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: LeakPlatform,
    private readonly known: KnownCases,
    private readonly provenance: ScanProvenance,
    private readonly marks: SyncMarks,
  ) {}

  /** Reads what was updated since the last time, or since the finished scan was queued; observes no removal. */
  async recent(creator: LinkedCreator, context: CommandContext, finished?: FinishedScan): Promise<Synchronised> {
    const began = this.runner.now();
    const through = await this.through(creator.creatorId, context);
    const since = through === undefined ? undefined : Math.min(through, finished?.createdAt ?? through) - SYNC_OVERLAP;
    const seen = await this.read(creator, since, context, finished);
    if (seen === undefined) return 'not_a_member';
    await this.mark(creator.creatorId, began, context);
    return 'synchronised';
  }

  /** Reads all records; what they do not show any more is gone (D50). */
  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronised> {
    const began = this.runner.now();
    await this.through(creator.creatorId, context);
    const seen = await this.read(creator, undefined, context);
    if (seen === undefined) return 'not_a_member';
    await this.removeUnseen(creator.creatorId, seen, began, context);
    await this.mark(creator.creatorId, began, context);
    return 'synchronised';
  }

  /** What is not read again, as it has been read before, may have been recorded only just now: nobody answers without it. */
  private async through(creatorId: CreatorId, { trail }: CommandContext): Promise<Instant | undefined> {
    const mark = await this.marks.of(creatorId);
    if (mark !== undefined) trail.passed(mark.position);
    return mark?.through;
  }

  private mark(creatorId: CreatorId, through: Instant, { trail }: CommandContext): Promise<void> {
    return this.marks.set(creatorId, { through, position: trail.position });
  }

  private async read(
    creator: LinkedCreator,
    updatedSince: Instant | undefined,
    context: CommandContext,
    finished?: FinishedScan,
  ): Promise<ReadonlySet<CaseId> | undefined> {
    const seen = new Set<CaseId>();
    for (let after: string | undefined; ; ) {
      const askedAt = this.runner.now();
      const page = await this.platform.listLeaks(creator.agencyId, creator.userId, {
        limit: LEAKS_PER_PAGE,
        ...(after !== undefined && { after }),
        ...(updatedSince !== undefined && { updatedSince: Math.max(0, updatedSince) }),
      });
      if (page === undefined) return undefined;
      for (const caseId of await this.observe(creator, page.leaks, askedAt, context, finished)) seen.add(caseId);
      if (page.nextCursor === null) return seen;
      after = page.nextCursor;
    }
  }

  private async observe(
    { workspaceId, creatorId }: LinkedCreator,
    leaks: readonly NativeLeak[],
    askedAt: Instant,
    context: CommandContext,
    finished: FinishedScan | undefined,
  ): Promise<CaseId[]> {
    const observed = leaks.map((leak) => ({ leak, caseId: caseIdOf(workspaceId, creatorId, leak.leakId) }));
    const rows = await this.known.getMany(observed.map(({ caseId }) => caseId));
    const scans = await this.scansOf(leaks, creatorId, finished);
    const news = observed
      .map(({ leak, caseId }) => ({ leak, caseId, scanId: (leak.jobId && scans.get(leak.jobId)) || null }))
      .filter(({ leak, caseId, scanId }) => isNews(rows.get(caseId), leak, scanId));
    for (let first = 0; first < news.length; first += APPENDS_AT_ONCE) {
      await Promise.all(
        news
          .slice(first, first + APPENDS_AT_ONCE)
          .map((observation) =>
            this.runner.run(caseDecider, observation.caseId, context, (state) =>
              observeLeak(state, { ...observation, creatorId, workspaceId, askedAt }),
            ),
          ),
      );
    }
    return observed.map(({ caseId }) => caseId);
  }

  /** A job gives provenance only to findings of the creator that it was for. */
  private async scansOf(
    leaks: readonly NativeLeak[],
    creatorId: CreatorId,
    finished: FinishedScan | undefined,
  ): Promise<ReadonlyMap<string, ScanId>> {
    const jobIds = [...new Set(leaks.map(({ jobId }) => jobId).filter((jobId) => jobId !== null))];
    const scans = new Map<string, ScanId>();
    for (const [jobId, scan] of jobIds.length === 0 ? [] : await this.provenance.scansOf(jobIds)) {
      if (scan.creatorId === creatorId) scans.set(jobId, scan.scanId);
    }
    if (finished !== undefined) scans.set(finished.jobId, finished.scanId);
    return scans;
  }

  private async removeUnseen(
    creatorId: CreatorId,
    seen: ReadonlySet<CaseId>,
    began: Instant,
    context: CommandContext,
  ): Promise<void> {
    for (let after: CaseId | undefined; ; ) {
      const rows = await this.known.ofCreator(creatorId, { limit: 1_000, ...(after !== undefined && { after }) });
      for (const { caseId, available } of rows) {
        if (!available || seen.has(caseId)) continue;
        await this.runner.run(caseDecider, caseId, context, (state) => observeRemoval(state, began));
      }
      after = rows.at(-1)?.caseId;
      if (after === undefined) return;
    }
  }
}

const isNews = (row: CaseRow | undefined, leak: NativeLeak, scanId: ScanId | null): boolean =>
  row === undefined || !row.available || !sameFinding(row.finding, leak) || (scanId !== null && row.scanId === null);
