import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type LinkedCreator, MemberRecords, type Synchronized } from '#creators';
import type { SeenRecords } from '#jobs';
import {
  type CaseId,
  Clock,
  type CommandContext,
  type CreatorId,
  type Duration,
  type Instant,
  MINUTE,
  type Reading,
  type ScanId,
} from '#kernel';
import { type CaseState, caseIdOf, observeLeak, observeRemoval, sameFinding } from '../domain/case.js';
import type { NativeLeak } from '../domain/native-leak.js';
import { CaseList, type CaseRow } from '../read-models/case-list.js';
import { SyncMarks } from '../read-models/sync-marks.js';
import { CaseRepository } from './case.repository.js';
import { FindScansOfJobs } from './find-scans-of-jobs.js';
import { type LeakPage, LeakPlatform } from './leak-platform.js';

/** D50: what is read again, in case a clock or a late write of the platform's was behind. */
export const SYNC_OVERLAP: Duration = 5 * MINUTE;
/** Few, as a page is held in memory while what it shows is appended part by part. */
const LEAKS_PER_PAGE = 100;

/** A scan whose job is known to the caller, and to the read model perhaps not yet. */
export interface FinishedScan {
  readonly scanId: ScanId;
  readonly jobId: string;
  readonly createdAt: Instant;
}

export interface SynchronizationOptions {
  readonly finished?: FinishedScan;
  readonly signal?: AbortSignal;
}

/** Brings the cases of a creator in step with its native leak records. An unchanged creator appends nothing. */
@Injectable()
export class CaseSynchronization {
  constructor(
    private readonly cases: CaseRepository,
    private readonly records: MemberRecords,
    private readonly platform: LeakPlatform,
    private readonly known: CaseList,
    private readonly queries: QueryBus,
    private readonly marks: SyncMarks,
    private readonly clock: Clock,
  ) {}

  /** Reads what was updated since the last time, or since the finished scan was queued; observes no removal. */
  async recent(
    creator: LinkedCreator,
    context: CommandContext,
    options: SynchronizationOptions = {},
  ): Promise<Synchronized> {
    const { finished } = options;
    const began = this.clock.now();
    const through = await this.through(creator.creatorId, context);
    const since = through === undefined ? undefined : Math.min(through, finished?.createdAt ?? through) - SYNC_OVERLAP;
    const seen = await this.read(creator, since, context, options);
    if (seen === undefined) return 'not_a_member';
    await this.mark(creator.creatorId, began, context);
    return 'synchronized';
  }

  /** Reads all records, and observes the removal of what they do not show any more (D50). */
  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized> {
    const began = this.clock.now();
    await this.through(creator.creatorId, context);
    const seen = await this.read(creator, undefined, context, {});
    if (seen === undefined) return 'not_a_member';
    await this.records.noteLeftOut(creator, 'leak', seen, began);
    await this.records.removeUnseen(creator, seen, this.known, (caseId) =>
      this.cases.update(caseId, context, (state) => observeRemoval(state, this.since(began))),
    );
    await this.mark(creator.creatorId, began, context);
    return 'synchronized';
  }

  /** Records that were read before are not read again, but may be recorded only just now: the answer waits for their position. */
  private async through(creatorId: CreatorId, { consistencyToken }: CommandContext): Promise<Instant | undefined> {
    const mark = await this.marks.of(creatorId);
    if (mark !== undefined) consistencyToken.advanceTo(mark.position);
    return mark?.through;
  }

  private mark(creatorId: CreatorId, through: Instant, { consistencyToken }: CommandContext): Promise<void> {
    return this.marks.set(creatorId, { through, position: consistencyToken.position });
  }

  private read(
    creator: LinkedCreator,
    updatedSince: Instant | undefined,
    context: CommandContext,
    options: SynchronizationOptions,
  ): Promise<SeenRecords<CaseId> | undefined> {
    const { agencyId, workspaceId, creatorId, userId } = creator;
    return this.records.walk(
      creator,
      {
        read: (after) =>
          this.platform.listLeaks(agencyId, userId, {
            limit: LEAKS_PER_PAGE,
            ...(after !== undefined && { after }),
            ...(updatedSince !== undefined && { updatedSince: Math.max(0, updatedSince) }),
          }),
        record: ({ leaks }: LeakPage, askedAt) => this.record(creator, leaks, askedAt, context, options),
        idOf: (leakId) => caseIdOf(workspaceId, creatorId, leakId),
      },
      options.signal,
    );
  }

  private async record(
    creator: LinkedCreator,
    leaks: readonly NativeLeak[],
    askedAt: Instant,
    context: CommandContext,
    { finished, signal }: SynchronizationOptions,
  ): Promise<CaseId[]> {
    const { workspaceId, creatorId } = creator;
    const observed = leaks.map((leak) => ({ leak, caseId: caseIdOf(workspaceId, creatorId, leak.leakId) }));
    const [rows, scans] = await Promise.all([
      this.known.getMany(observed.map(({ caseId }) => caseId)),
      this.scansOf(leaks, creatorId, finished),
    ]);
    const news = observed
      .map(({ leak, caseId }) => ({ leak, caseId, scanId: (leak.jobId && scans.get(leak.jobId)) || null }))
      .filter(({ leak, caseId, scanId }) => isNews(rows.get(caseId), leak, scanId));
    const record = (observation: (typeof news)[number]) => {
      const { caseId } = observation;
      const decide = (state: CaseState) =>
        observeLeak(state, { ...observation, creatorId, workspaceId, reading: this.since(askedAt) });
      // A case without a row is expected to be new; if it is not, the conflict of its append reads the stream.
      return this.cases.update(rows.has(caseId) ? caseId : this.cases.assumeNew(caseId), context, decide);
    };
    await this.records.record(creator, news, record, signal);
    return observed.map(({ caseId }) => caseId);
  }

  private since(began: Instant): Reading {
    return { began, now: this.clock.now() };
  }

  /** A job gives provenance only to findings of the creator that it was for. */
  private async scansOf(
    leaks: readonly NativeLeak[],
    creatorId: CreatorId,
    finished: FinishedScan | undefined,
  ): Promise<ReadonlyMap<string, ScanId>> {
    const jobIds = [...new Set(leaks.map(({ jobId }) => jobId).filter((jobId) => jobId !== null))];
    const scans = new Map<string, ScanId>();
    for (const [jobId, scan] of jobIds.length === 0 ? [] : await this.queries.execute(new FindScansOfJobs(jobIds))) {
      if (scan.creatorId === creatorId) scans.set(jobId, scan.scanId);
    }
    if (finished !== undefined) scans.set(finished.jobId, finished.scanId);
    return scans;
  }
}

const isNews = (row: CaseRow | undefined, leak: NativeLeak, scanId: ScanId | null): boolean =>
  row === undefined || !row.available || !sameFinding(row.finding, leak) || (scanId !== null && row.scanId === null);
