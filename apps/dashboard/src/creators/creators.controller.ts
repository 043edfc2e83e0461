import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse } from '@nestjs/swagger';
import { ListCases } from '#cases';
import { type EnrolledCreator, fullPublicCreator, ListCreators } from '#creators';
import { Clock } from '#kernel';
import { DEFAULT_PAGE_SIZE } from '../../../api/src/http/validation/page.query.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import {
  CreatorsQuery,
  type DashboardCreator,
  DashboardCreatorAnswer,
  DashboardCreatorsAnswer,
} from './creators.dto.js';
import { SeenCreators } from './seen-creators.js';

const MAX_COUNTED_CASES = 2_000;

/** The roster with its invitees, and one creator. */
@Controller('dashboard/api/creators')
export class DashboardCreatorsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly seen: SeenCreators,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Rights('read')
  @ApiOkResponse({ type: DashboardCreatorsAnswer })
  async list(
    @Visitor() { workspaceId }: Visit,
    @Query() { enrollment_status, protection_status, limit = DEFAULT_PAGE_SIZE, after }: CreatorsQuery,
  ): Promise<DashboardCreatorsAnswer> {
    const filter = { enrollment: enrollment_status, protection: protection_status };
    const { items, nextCursor } = await this.queries.execute(new ListCreators(workspaceId, filter, { limit, after }));
    return { data: items.map((creator) => this.row(creator)), next_cursor: nextCursor };
  }

  @Get(':id')
  @Rights('read')
  @ApiOkResponse({ type: DashboardCreatorAnswer })
  async one(@Visitor() visit: Visit, @Param('id') id: string): Promise<DashboardCreatorAnswer> {
    const creator = await this.seen.see(id, visit);
    const { workspaceId } = visit;
    const counted = new ListCases(workspaceId, creator.creatorId, { limit: MAX_COUNTED_CASES });
    const { rows, nextCursor } = await this.queries.execute(counted);
    const counts = Map.groupBy(rows, ({ available, finding }) => (available ? finding.statusCode : 'gone'));
    const shown = fullPublicCreator(creator, this.clock.now());
    return {
      ...this.row(creator),
      aliases: shown.aliases,
      profile_urls: shown.profile_urls,
      identity_sync_pending: shown.identity_sync_pending,
      authorization: shown.authorization,
      entitlement_active: shown.entitlement.active,
      cases: [...counts].map(([status_code, found]) => ({ status_code, count: found.length })),
      has_more_cases: nextCursor !== null,
    };
  }

  private row(creator: EnrolledCreator): DashboardCreator {
    const shown = fullPublicCreator(creator, this.clock.now());
    const { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at } =
      shown;
    return { id, external_id, display_name, enrollment_status, protection_status, eligible, svc_user_id, created_at };
  }
}
