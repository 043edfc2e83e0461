import type { CommandContext, CommandRunner, CreatorId, ImpersonationId, Instant } from '#kernel';
import type { LinkedCreator, Synchronised } from './case-synchronisation.js';
import {
  impersonationDecider,
  impersonationIdOf,
  observeImpersonation,
  observeImpersonationRemoval,
  sameImpersonation,
} from './impersonation.js';
import type { ImpersonationPlatform, KnownImpersonations, NativeImpersonation } from './ports.js';
import type { ImpersonationRow } from './public-impersonation.js';

const RECORDS_PER_PAGE = 200;
const ROWS_AT_ONCE = 1_000;
const APPENDS_AT_ONCE = 100;

/** Brings the impersonations of a creator in step with its native records. An unchanged creator appends nothing. */
export class ImpersonationSynchronisation {
  constructor(
    private readonly runner: CommandRunner,
    private readonly platform: ImpersonationPlatform,
    private readonly known: KnownImpersonations,
  ) {}

  /** Reads all records, as the platform shows no part of them; what they do not show any more is gone (D54). */
  async walk(creator: LinkedCreator, context: CommandContext): Promise<Synchronised> {
    const began = this.runner.now();
    const seen = new Set<ImpersonationId>();
    for (let after: string | undefined; ; ) {
      const page = await this.platform.listImpersonations(creator.agencyId, creator.userId, {
        limit: RECORDS_PER_PAGE,
        ...(after !== undefined && { after }),
      });
      if (page === undefined) return 'not_a_member';
      for (const id of await this.observe(creator, page.impersonations, began, context)) seen.add(id);
      if (page.nextCursor === null) break;
      after = page.nextCursor;
    }
    await this.removeUnseen(creator.creatorId, seen, began, context);
    return 'synchronised';
  }

  private async observe(
    { workspaceId, creatorId }: LinkedCreator,
    natives: readonly NativeImpersonation[],
    began: Instant,
    context: CommandContext,
  ): Promise<ImpersonationId[]> {
    const observed = natives.map((native) => ({
      native,
      of: { workspaceId, creatorId, impersonationId: impersonationIdOf(workspaceId, creatorId, native.nativeId) },
    }));
    const ids = observed.map(({ of }) => of.impersonationId);
    const rows = await this.known.getMany(ids);
    const news = observed.filter(({ native, of }) => isNews(rows.get(of.impersonationId), native));
    for (let first = 0; first < news.length; first += APPENDS_AT_ONCE) {
      await Promise.all(
        news
          .slice(first, first + APPENDS_AT_ONCE)
          .map(({ native, of }) =>
            this.runner.run(impersonationDecider, of.impersonationId, context, (state) =>
              observeImpersonation(state, of, native, began),
            ),
          ),
      );
    }
    return ids;
  }

  private async removeUnseen(
    creatorId: CreatorId,
    seen: ReadonlySet<ImpersonationId>,
    began: Instant,
    context: CommandContext,
  ): Promise<void> {
    for (let after: ImpersonationId | undefined; ; ) {
      const page = { limit: ROWS_AT_ONCE, ...(after !== undefined && { after }) };
      const rows = await this.known.ofCreator(creatorId, page);
      for (const { impersonationId, available } of rows) {
        if (!available || seen.has(impersonationId)) continue;
        await this.runner.run(impersonationDecider, impersonationId, context, (state) =>
          observeImpersonationRemoval(state, began),
        );
      }
      after = rows.at(-1)?.impersonationId;
      if (after === undefined) return;
    }
  }
}

const isNews = (row: ImpersonationRow | undefined, native: NativeImpersonation): boolean =>
  row === undefined || !row.available || !sameImpersonation(row.record, native);
