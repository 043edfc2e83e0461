import { Injectable } from '@nestjs/common';
import { type LinkedCreator, Memberships, requireNotErased, type Synchronised } from '#creators';
import { BulkPace, walkPages } from '#jobs';
import { type CommandContext, CommandRunner, emptyState, type ImpersonationId, type Instant } from '#kernel';
import {
  type ImpersonationState,
  impersonationDecider,
  impersonationIdOf,
  observeImpersonation,
  observeImpersonationRemoval,
  sameImpersonation,
} from '../domain/impersonation.js';
import type { NativeImpersonation } from '../domain/native-impersonation.js';
import { ImpersonationList, type ImpersonationRow } from '../read-models/impersonation-list.js';
import { type ImpersonationPage, ImpersonationPlatform } from './impersonation-platform.js';

/** Few, as a page is held in memory while what it shows is appended part by part. */
const RECORDS_PER_PAGE = 100;
const ROWS_PER_PAGE = 200;

/** Brings the impersonations of a creator in step with its native records. An unchanged creator appends nothing. */
@Injectable()
export class ImpersonationSynchronisation {
  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: ImpersonationPlatform,
    private readonly known: ImpersonationList,
    private readonly memberships: Memberships,
    private readonly pace: BulkPace,
  ) {}

  /** Reads all records, as the platform shows no part of them; what they do not show any more is gone (D54, D65). */
  async walk(
    creator: LinkedCreator,
    context: CommandContext,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Synchronised> {
    const { agencyId, workspaceId, creatorId, userId } = creator;
    const began = this.runner.now();
    const seen = new Set<ImpersonationId>();
    let isComplete = true;
    let askedAt = began;
    const isMember = await walkPages<string, ImpersonationPage>(
      (after) => {
        signal?.throwIfAborted();
        askedAt = this.runner.now();
        const page = { limit: RECORDS_PER_PAGE, ...(after !== undefined && { after }) };
        return this.platform.listImpersonations(agencyId, userId, page);
      },
      async ({ impersonations, refused }) => {
        await requireNotErased(this.runner, creatorId);
        this.memberships.confirm(creatorId, askedAt);
        for (const id of await this.observe(creator, impersonations, began, context, signal)) seen.add(id);
        for (const { id } of refused) {
          if (id === null) isComplete = false;
          else seen.add(impersonationIdOf(workspaceId, creatorId, id));
        }
      },
      (task, isLong) => this.pace.withPagePermit(agencyId, task, isLong),
    );
    if (!isMember) return 'not_a_member';
    if (isComplete) await this.removeUnseen(creator, seen, began, context, signal);
    return 'synchronised';
  }

  private async observe(
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
      return rows.has(id)
        ? this.runner.run(impersonationDecider, id, context, decide)
        : this.runner.update(impersonationDecider, emptyState(impersonationDecider, id), context, decide);
    };
    await this.pace.inBatches(agencyId, news, record, signal);
    return ids;
  }

  private async removeUnseen(
    { agencyId, creatorId }: LinkedCreator,
    seen: ReadonlySet<ImpersonationId>,
    began: Instant,
    context: CommandContext,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let after: ImpersonationId | undefined; ; ) {
      signal?.throwIfAborted();
      const page = { limit: ROWS_PER_PAGE, ...(after !== undefined && { after }) };
      const rows = await this.known.ofCreator(creatorId, page);
      const gone = rows.filter(({ impersonationId, available }) => available && !seen.has(impersonationId));
      const record = ({ impersonationId }: (typeof gone)[number]) =>
        this.runner.run(impersonationDecider, impersonationId, context, (state) =>
          observeImpersonationRemoval(state, began),
        );
      await this.pace.inBatches(agencyId, gone, record, signal);
      after = rows.at(-1)?.impersonationId;
      if (after === undefined) return;
    }
  }
}

const isNews = (row: ImpersonationRow | undefined, native: NativeImpersonation): boolean =>
  row === undefined || !row.available || !sameImpersonation(row.record, native);
