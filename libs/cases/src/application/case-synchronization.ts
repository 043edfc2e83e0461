import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import {
  type AgencyScope,
  assertCursorOf,
  CreatorAccess,
  type LinkedCreator,
  NativeRecordSync,
  type SeenRecords,
  type Synchronized,
} from '#creators';
import {
  type CaseId,
  Clock,
  type CollectionDefinition,
  type CommandContext,
  type CreatorId,
  DocumentStore,
  type Duration,
  type Instant,
  MINUTE,
  type Position,
  type Reading,
  repositoryOf,
  type ScanId,
  SyncCursors,
} from '#kernel';
import {
  type CaseEvent,
  type CaseState,
  caseDecider,
  caseIdOf,
  type NativeLeak,
  observeLeak,
  observeRemoval,
  sameFinding,
} from '../domain/case.js';
import { CaseList, type CaseRow } from '../read-models/case-list.js';
import { FindScansOfJobs, type LeakPage, LeakPlatform } from './ports.js';

export class CaseRepository extends repositoryOf<CaseState, CaseEvent, CaseId>(caseDecider) {}

export const SYNC_CURSORS: CollectionDefinition = { name: 'case_sync_marks', indexes: [] };

/** Up to when a creator's leaks have been read, and the log position up to which the findings have been recorded. */
export interface SyncCursor {
  readonly through: Instant;
  readonly position: Position;
}

/** D50: the overlap that is read again, in case a clock or a late write of the platform was behind. */
export const SYNC_OVERLAP: Duration = 5 * MINUTE;
/** Small, because a page is held in memory while its findings are appended part by part. */
const LEAKS_PER_PAGE = 100;

/** A scan whose job the caller knows, but which the read model may not have yet. */
interface FinishedScan {
  readonly scanId: ScanId;
  readonly jobId: string;
  readonly createdAt: Instant;
}

interface SynchronizationOptions {
  readonly finished?: FinishedScan;
  readonly signal?: AbortSignal;
}

@Injectable()
export class CaseSynchronization {
  private readonly cursors: SyncCursors<SyncCursor>;

  constructor(
    documents: DocumentStore,
    private readonly cases: CaseRepository,
    private readonly records: NativeRecordSync,
    private readonly platform: LeakPlatform,
    private readonly known: CaseList,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {
    this.cursors = new SyncCursors(documents, SYNC_CURSORS);
  }

  /** Reads what was updated since the last time, or since the finished scan was queued. Observes no removals. */
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
    await this.advance(creator.creatorId, began, context);
    return 'synchronized';
  }

  /** Reads all records, and observes the removal of those that are no longer shown (D50). */
  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized> {
    const began = this.clock.now();
    await this.through(creator.creatorId, context);
    const seen = await this.read(creator, undefined, context, {});
    if (seen === undefined) return 'not_a_member';
    await this.records.noteLeftOut(creator, 'leak', seen, began);
    await this.records.removeUnseen(creator, seen, this.known, (caseId) =>
      this.cases.update(caseId, context, (state) => observeRemoval(state, this.since(began))),
    );
    await this.advance(creator.creatorId, began, context);
    return 'synchronized';
  }

  /** Records that were read before are not read again, but may have been recorded just now: the answer waits for it. */
  private async through(creatorId: CreatorId, { consistencyToken }: CommandContext): Promise<Instant | undefined> {
    const cursor = await this.cursors.of(creatorId);
    if (cursor !== undefined) consistencyToken.advanceTo(cursor.position);
    return cursor?.through;
  }

  private advance(creatorId: CreatorId, through: Instant, { consistencyToken }: CommandContext): Promise<void> {
    return this.cursors.set(creatorId, { through, position: consistencyToken.position });
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
      // A case without a row is expected to be new; if it is not, the conflict of its append makes it read the stream.
      return this.cases.update(rows.has(caseId) ? caseId : this.cases.assumeNew(caseId), context, decide);
    };
    await this.records.record(creator, news, record, signal);
    return observed.map(({ caseId }) => caseId);
  }

  private since(began: Instant): Reading {
    return { began, now: this.clock.now() };
  }

  /** A job gives provenance only to findings of its creator. */
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

/** Comes before a page of the list: the first page is read after one synchronization, later ones from what is known (D50). */
export class SynchronizeCases extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly after: CaseId | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SynchronizeCases)
export class SynchronizeCasesHandler implements ICommandHandler<SynchronizeCases> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly records: NativeRecordSync,
    private readonly cases: CaseRepository,
    private readonly synchronization: CaseSynchronization,
  ) {}

  async execute({ creatorId, scope, after, context }: SynchronizeCases): Promise<void> {
    if (after !== undefined) {
      const [cursor] = await Promise.all([this.cases.load(after), this.creators.forRead(creatorId, scope, context)]);
      assertCursorOf(creatorId, cursor.state);
      return;
    }
    await this.records.synchronize('cases', creatorId, scope, context, (creator, signal) =>
      this.synchronization.recent(creator, context, { signal }),
    );
  }
}
