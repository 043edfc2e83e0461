import { Injectable } from '@nestjs/common';
import { type LinkedCreator, MemberRecords, type Synchronized } from '#creators';
import type { SeenRecords } from '#jobs';
import { Clock, type CommandContext, type CreatorId, type ImpersonationId, type Instant, type Reading } from '#kernel';
import {
  type ImpersonationState,
  impersonationIdOf,
  observeImpersonation,
  observeImpersonationRemoval,
  sameImpersonation,
} from '../domain/impersonation.js';
import { isLeftToWorker, RECORDS_PER_PAGE } from '../domain/long-list.js';
import type { NativeImpersonation } from '../domain/native-impersonation.js';
import { ImpersonationsOptions } from '../impersonations.options.js';
import { ImpersonationList, type ImpersonationRow } from '../read-models/impersonation-list.js';
import { WalkMarks } from '../read-models/walk-marks.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { type ImpersonationPage, ImpersonationPlatform } from './impersonation-platform.js';

/** Brings the impersonations of a creator in step with its native records. An unchanged creator appends nothing. */
@Injectable()
export class ImpersonationSynchronization {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly records: MemberRecords,
    private readonly platform: ImpersonationPlatform,
    private readonly known: ImpersonationList,
    private readonly marks: WalkMarks,
    private readonly clock: Clock,
    private readonly options: ImpersonationsOptions,
  ) {}

  /** Whether a list shows what the worker's last walk recorded; then the answer waits until the read models have that. */
  async isLeftToWorker(creatorId: CreatorId, { consistencyToken }: CommandContext): Promise<boolean> {
    const mark = await this.marks.of(creatorId);
    if (mark === undefined || !isLeftToWorker(mark, this.clock.now(), this.options)) return false;
    consistencyToken.advanceTo(mark.position);
    return true;
  }

  async withinRequest(creator: LinkedCreator, context: CommandContext, signal: AbortSignal): Promise<Synchronized> {
    const seen = await this.read(creator, this.clock.now(), context, signal);
    return seen === undefined ? 'not_a_member' : 'synchronized';
  }

  /** The worker's walk, which also notes how long the list is. */
  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronized> {
    const through = this.clock.now();
    const seen = await this.read(creator, through, context);
    if (seen === undefined) return 'not_a_member';
    await this.records.noteLeftOut(creator, 'impersonation', seen, through);
    const { position } = context.consistencyToken;
    await this.marks.set(creator.creatorId, { through, position, records: seen.ids.size, readIn: seen.readIn });
    return 'synchronized';
  }

  /** The platform shows no part of them by time: a request makes a complete walk too, and observes removals (D54). */
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
      // One without a row is expected to be new; if it is not, the conflict of its append reads the stream.
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
