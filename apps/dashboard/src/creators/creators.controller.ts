import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListCases } from '#cases';
import {
  ENROLLMENT_STATUSES,
  type EnrolledCreator,
  fullPublicCreator,
  ListCreators,
  PROTECTION_STATUSES,
} from '#creators';
import { Clock } from '#kernel';
import { DEFAULT_PAGE_SIZE, PageQuery } from '../../../api/src/http/validation/page.query.js';
import { OneOf, Optional } from '../../../api/src/http/validation/rules.js';
import { Rights, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import type { DashboardCreator, DashboardCreatorAnswer, DashboardCreatorsAnswer } from './answers.js';
import { SeenCreators } from './seen-creators.js';

const MAX_COUNTED_CASES = 2_000;

class CreatorsQuery extends PageQuery {
  @Optional()
  @OneOf(...ENROLLMENT_STATUSES)
  enrollment_status?: (typeof ENROLLMENT_STATUSES)[number];

  @Optional()
  @OneOf(...PROTECTION_STATUSES)
  protection_status?: (typeof PROTECTION_STATUSES)[number];
}

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
