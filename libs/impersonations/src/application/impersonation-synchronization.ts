import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
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
  Clock,
  type CollectionDefinition,
  type CommandContext,
  type CreatorId,
  DocumentStore,
  type ImpersonationId,
  type Instant,
  type Position,
  type Reading,
  SyncCursors,
} from '#kernel';
import {
  type ImpersonationState,
  impersonationIdOf,
  type NativeImpersonation,
  observeImpersonation,
  observeImpersonationRemoval,
  sameImpersonation,
} from '../domain/impersonation.js';
import { type CompleteWalk, isLeftToWorker, RECORDS_PER_PAGE } from '../domain/long-list.js';
import { ImpersonationList, type ImpersonationRow } from '../read-models/impersonation-list.js';
import { ImpersonationRepository } from './impersonations.repository.js';
import { type ImpersonationPage, ImpersonationPlatform, ImpersonationsOptions } from './ports.js';

export const WALK_CURSORS: CollectionDefinition = { name: 'impersonation_walk_marks', indexes: [] };

/** The worker's last complete walk of a creator's records, and how far in the log what it found has been recorded. */
export interface WalkCursor extends CompleteWalk {
  readonly position: Position;
}

@Injectable()
export class ImpersonationSynchronization {
  private readonly cursors: SyncCursors<WalkCursor>;

  constructor(
    documents: DocumentStore,
    private readonly impersonations: ImpersonationRepository,
    private readonly records: NativeRecordSync,
    private readonly platform: ImpersonationPlatform,
    private readonly known: ImpersonationList,
    private readonly clock: Clock,
    private readonly options: ImpersonationsOptions,
  ) {
    this.cursors = new SyncCursors(documents, WALK_CURSORS);
  }

  /** Whether a list shows what the worker's last walk recorded; then the answer waits until the read models have that. */
  async isLeftToWorker(creatorId: CreatorId, { consistencyToken }: CommandContext): Promise<boolean> {
    const cursor = await this.cursors.of(creatorId);
    if (cursor === undefined || !isLeftToWorker(cursor, this.clock.now(), this.options)) return false;
    consistencyToken.advanceTo(cursor.position);
    return true;
  }

  async withinRequest(creator: LinkedCreator, context: CommandContext, signal: AbortSignal): Promise<Synchronized> {
    const seen = await this.read(creator, this.clock.now(), context, signal);
    return seen === undefined ? 'not_a_member' : 'synchronized';
  }

  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized> {
    const through = this.clock.now();
    const seen = await this.read(creator, through, context);
    if (seen === undefined) return 'not_a_member';
    await this.records.noteLeftOut(creator, 'impersonation', seen, through);
    const { position } = context.consistencyToken;
    await this.cursors.set(creator.creatorId, { through, position, records: seen.ids.size, readIn: seen.readIn });
    return 'synchronized';
  }

  /**
   * The platform cannot show part of them by time: a request makes a complete walk too, and observes removals (D54).
   */
  private async read(
    creator: LinkedCreator,
    began: Instant,
    context: CommandContext,
    signal?: AbortSignal,
  ): Promise<SeenRecords<ImpersonationId> | undefined> {
    const { agencyId, workspaceId, creatorId, userId } = creator;
    const seen = await this.records.walk(
      creator,
      {
        read: (after) => {
          const page = { limit: RECORDS_PER_PAGE, ...(after !== undefined && { after }) };
          return this.platform.listImpersonations(agencyId, userId, page);
        },
        record: ({ impersonations }: ImpersonationPage) => this.record(creator, impersonations, began, context, signal),
        idOf: (nativeId) => impersonationIdOf(workspaceId, creatorId, nativeId),
      },
      signal,
    );
    if (seen === undefined) return undefined;
    const remove = (id: ImpersonationId) =>
      this.impersonations.update(id, context, (state) => observeImpersonationRemoval(state, this.since(began)));
    await this.records.removeUnseen(creator, seen, this.known, remove, signal);
    return seen;
  }

  private async record(
    creator: LinkedCreator,
    natives: readonly NativeImpersonation[],
    began: Instant,
    context: CommandContext,
    signal: AbortSignal | undefined,
  ): Promise<ImpersonationId[]> {
    const { workspaceId, creatorId } = creator;
    const observed = natives.map((native) => ({
      native,
      of: { workspaceId, creatorId, impersonationId: impersonationIdOf(workspaceId, creatorId, native.nativeId) },
    }));
    const ids = observed.map(({ of }) => of.impersonationId);
    const rows = await this.known.getMany(ids);
    const news = observed.filter(({ native, of }) => isNews(rows.get(of.impersonationId), native));
    const record = ({ native, of }: (typeof news)[number]) => {
      const id = of.impersonationId;
      const decide = (state: ImpersonationState) => observeImpersonation(state, of, native, this.since(began));
      // One without a row is expected to be new; if it is not, the conflict of its append makes it read the stream.
      return this.impersonations.update(rows.has(id) ? id : this.impersonations.assumeNew(id), context, decide);
    };
    await this.records.record(creator, news, record, signal);
    return ids;
  }

  private since(began: Instant): Reading {
    return { began, now: this.clock.now() };
  }
}

const isNews = (row: ImpersonationRow | undefined, native: NativeImpersonation): boolean =>
  row === undefined || !row.available || !sameImpersonation(row.record, native);

/** The first page is read after one walk, or after the worker's last one if it is long (D80); later ones without (D54). */
export class SynchronizeImpersonations extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scope: AgencyScope,
    readonly after: ImpersonationId | undefined,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(SynchronizeImpersonations)
export class SynchronizeImpersonationsHandler implements ICommandHandler<SynchronizeImpersonations> {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly records: NativeRecordSync,
    private readonly impersonations: ImpersonationRepository,
    private readonly synchronization: ImpersonationSynchronization,
  ) {}

  async execute({ creatorId, scope, after, context }: SynchronizeImpersonations): Promise<void> {
    if (after !== undefined) {
      const [cursor] = await Promise.all([
        this.impersonations.load(after),
        this.creators.forRead(creatorId, scope, context),
      ]);
      assertCursorOf(creatorId, cursor.state);
    } else if (await this.synchronization.isLeftToWorker(creatorId, context)) {
      await this.records.confirm(creatorId, scope, context);
    } else {
      await this.records.synchronize('impersonations', creatorId, scope, context, (creator, signal) =>
        this.synchronization.withinRequest(creator, context, signal),
      );
    }
  }
}
