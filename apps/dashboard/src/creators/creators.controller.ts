import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CasesOfCreators } from '#cases';
import { ENROLLMENT_STATUSES, fullPublicCreator, ListCreators, PROTECTION_STATUSES } from '#creators';
import { DEFAULT_PAGE_SIZE, OneOf, Optional, PageQuery, Text } from '#http';
import { Clock } from '#kernel';
import { LatestScans } from '#scans';
import type { CreatorsAnswer, DashboardCreator, DashboardCreatorAnswer } from '../../answers/creators.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { FoundCreators } from './found-creators.js';

/** The longest URL of a profile. */
export const MAX_SEARCH_LENGTH = 2_048;

/** The page offers them as filters. */
const STATUSES = { enrollment_statuses: ENROLLMENT_STATUSES, protection_statuses: PROTECTION_STATUSES };

class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];

  @Optional()
  @Text(MAX_SEARCH_LENGTH)
  text?: string;
}

@Controller('dashboard/api/creators')
export class DashboardCreatorsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: FoundCreators,
    private readonly cases: CasesOfCreators,
    private readonly clock: Clock,
  ) {}

  @Read()
  async list(
    @CurrentUser() { workspaceId }: DashboardSession,
    @Query() { enrollment_status, protection_status, text, limit = DEFAULT_PAGE_SIZE, after }: CreatorsQuery,
  ): Promise<CreatorsAnswer> {
    const filter = { enrollment: enrollment_status, protection: protection_status, text: text?.trim() || undefined };
    const { items, nextCursor, isCutOff } = await this.queries.execute(
      new ListCreators(workspaceId, filter, { limit, after }),
    );
    const now = this.clock.now();
    const ids = items.map(({ creatorId }) => creatorId);
    const [scans, open] = await Promise.all([
      this.queries.execute(new LatestScans(ids)),
      this.cases.openCounts(workspaceId, ids),
    ]);
    const data = items.map((creator, at) => ({
      ...rowOf(fullPublicCreator(creator, now)),
      open_cases: open[at] ?? 0,
      last_scan_at: scans.get(creator.creatorId) ?? null,
    }));
    return { data, next_cursor: nextCursor, is_cut_off: isCutOff, ...STATUSES };
  }

  @Read(':id')
  async one(@CurrentUser() user: DashboardSession, @Param('id') id: string): Promise<DashboardCreatorAnswer> {
    const creator = await this.creators.refresh(id, user);
    const { byStatus, hasMore } = await this.cases.counts(creator);
    const shown = fullPublicCreator(creator, this.clock.now());
    const { aliases, profile_urls, identity_sync_pending, authorization, entitlement } = shown;
    return {
      ...rowOf(shown),
      ...{ aliases, profile_urls, identity_sync_pending, authorization },
      entitlement_active: entitlement.active,
      cases: [...byStatus].map(([status_code, count]) => ({ status_code, count })),
      has_more_cases: hasMore,
    };
  }
}

const rowOf = (shown: DashboardCreator): DashboardCreator => {
  const { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at } =
    shown;
  return { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at };
};
