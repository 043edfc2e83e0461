import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DescribeAgency } from '#agencies';
import { actorOf, endOf, RIGHTS_OF, roleOfStaff } from '#dashboard';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import { type AgencyId, DomainError } from '#kernel';
import type { SessionAnswer } from '../../answers/session.js';
import type { DashboardRequest } from '../access/dashboard-session.js';
import { agencyOf, DashboardSessions } from '../access/dashboard-sessions.js';
import { Rights } from '../access/rights.js';
import { stateOf } from '../overview/checklist.js';

/** The agencies to choose from, with their names. */
const MAX_NAMED = 20;

@Controller('dashboard/api/session')
export class SessionController {
  constructor(
    private readonly sessions: DashboardSessions,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Rights('session')
  async session(@Req() { signedIn }: DashboardRequest): Promise<SessionAnswer> {
    if (signedIn === undefined) throw new DomainError('session_required');
    const { opened } = signedIn;
    const { person } = opened.session;
    const agencyId = agencyOf(signedIn);
    const found = agencyId && (await this.sessions.roleIn(agencyId, opened));
    const role = found?.role ?? roleOfStaff(person);
    const agencies = await Promise.all(person.agencies.map((id, index) => this.named(id, index < MAX_NAMED)));
    return {
      user: { id: actorOf(person, role !== 'operator').slice('user:'.length), name: person.name },
      role,
      rights: found ? RIGHTS_OF[found.role] : [],
      agency: agencyId && found ? { ...(await this.named(agencyId)), binding: stateOf(found.agency) } : null,
      agencies,
      event_types: PUBLIC_EVENT_TYPES,
      csrf_token: opened.secret.csrfToken,
      platform_available: found?.agency.native !== 'unavailable',
      expires_at: endOf(opened.session),
    };
  }

  private async named(id: AgencyId, isAsked = true) {
    const native = isAsked ? (await this.queries.execute(new DescribeAgency(id))).native : undefined;
    return { id, name: (native === 'unavailable' ? undefined : native?.name) ?? id };
  }
}
