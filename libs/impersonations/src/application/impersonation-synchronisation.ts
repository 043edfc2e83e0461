import { Injectable } from '@nestjs/common';
import { type LinkedCreator, MemberRecordWalks, type Synchronised } from '#creators';
import { BulkPace } from '#jobs';
import { Clock, type CommandContext, type ImpersonationId, type Instant } from '#kernel';
import {
  type ImpersonationState,
  impersonationIdOf,
  observeImpersonation,
  observeImpersonationRemoval,
  sameImpersonation,
} from '../domain/impersonation.js';
import type { NativeImpersonation } from '../domain/native-impersonation.js';
import { ImpersonationList, type ImpersonationRow } from '../read-models/impersonation-list.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { type ImpersonationPage, ImpersonationPlatform } from './impersonation-platform.js';

/** Few, as a page is held in memory while what it shows is appended part by part. */
const RECORDS_PER_PAGE = 100;

/** Brings the impersonations of a creator in step with its native records. An unchanged creator appends nothing. */
@Injectable()
export class ImpersonationSynchronisation {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly walks: MemberRecordWalks,
    private readonly platform: ImpersonationPlatform,
    private readonly known: ImpersonationList,
    private readonly pace: BulkPace,
    private readonly clock: Clock,
  ) {}

  /** Reads all records, as the platform shows no part of them, and observes the removal of what they do not show any more (D54). */
  async walk(
    creator: LinkedCreator,
    context: CommandContext,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Synchronised> {
    const { agencyId, workspaceId, creatorId, userId } = creator;
    const began = this.clock.now();
    const seen = await this.walks.read(
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
    if (seen === undefined) return 'not_a_member';
    const remove = (id: ImpersonationId) =>
      this.impersonations.update(id, context, (state) => observeImpersonationRemoval(state, began));
    await this.walks.removeUnseen(creator, seen, this.known, remove, signal);
    return 'synchronised';
  }

  private async record(
    { agencyId, workspaceId, creatorId }: LinkedCreator,
    natives: readonly NativeImpersonation[],
    began: Instant,
    context: CommandContext,
    signal: AbortSignal | undefined,
  ): Promise<ImpersonationId[]> {
    const observed = natives.map((native) => ({
      native,
      of: { workspaceId, creatorId, impersonationId: impersonationIdOf(workspaceId, creatorId, native.nativeId) },
    }));
    const ids = observed.map(({ of }) => of.impersonationId);
    const rows = await this.known.getMany(ids);
    const news = observed.filter(({ native, of }) => isNews(rows.get(of.impersonationId), native));
    const record = ({ native, of }: (typeof news)[number]) => {
      const id = of.impersonationId;
      const decide = (state: ImpersonationState) => observeImpersonation(state, of, native, began);
      // One without a row is expected to be new; if it is not, the conflict of its append reads the stream.
      return this.impersonations.update(rows.has(id) ? id : this.impersonations.assumeNew(id), context, decide);
    };
    await this.pace.inBatches(agencyId, news, record, signal);
    return ids;
  }
}

const isNews = (row: ImpersonationRow | undefined, native: NativeImpersonation): boolean =>
  row === undefined || !row.available || !sameImpersonation(row.record, native);
