import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DescribeAgency } from '#agencies';
import { actorOf, endOf, RIGHTS_OF, roleOfStaff } from '#dashboard';
import type { AgencyId } from '#kernel';
import { Rights, Session } from '../access/rights.js';
import type { SignedIn } from '../access/visit.js';
import { agencyOf, Visits } from '../access/visits.js';
import type { SessionAnswer } from './answers.js';

/** The agencies whose names a person sees to choose from. */
const MAX_NAMED = 20;

@Controller('dashboard/api/session')
export class SessionController {
  constructor(
    private readonly visits: Visits,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Rights('session')
  async session(@Session() signedIn: SignedIn): Promise<SessionAnswer> {
    const { opened } = signedIn;
    const { person } = opened.session;
    const agencyId = agencyOf(signedIn);
    const standing = agencyId && (await this.visits.standing(opened, agencyId));
    const role = standing?.role ?? roleOfStaff(person);
    const isWelcome = agencyId !== undefined && standing !== undefined;
    const agencies = await Promise.all(person.agencies.map((id, index) => this.named(id, index < MAX_NAMED)));
    return {
      user: { id: actorOf(person, role !== 'operator').slice('user:'.length), name: person.name },
      role,
      rights: standing === undefined ? [] : RIGHTS_OF[standing.role],
      agency: isWelcome ? (agencies.find(({ id }) => id === agencyId) ?? (await this.named(agencyId, true))) : null,
      agencies,
      csrf_token: opened.secret.csrfToken,
      platform_available: standing?.agency.native !== 'unavailable',
      expires_at: endOf(opened.session),
    };
  }

  private async named(id: AgencyId, isAsked: boolean) {
    const native = isAsked ? (await this.queries.execute(new DescribeAgency(id))).native : undefined;
    return { id, name: (native === 'unavailable' ? undefined : native?.name) ?? id };
  }
}
