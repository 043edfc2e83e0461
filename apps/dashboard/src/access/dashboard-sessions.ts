import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DescribeAgency, workspaceOf } from '#agencies';
import { actorOf, ClaimsRenewal, mayBeOf, type OpenSession, RIGHTS_OF, type Right, roleIn, Sessions } from '#dashboard';
import { type AgencyId, ConsistencyToken, DomainError } from '#kernel';
import type { DashboardSession, SignedIn } from './dashboard-session.js';

type RoleInAgency = Pick<DashboardSession, 'role' | 'agency'>;

/** Finds the agency of a request, and the person's role in it. */
@Injectable()
export class DashboardSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly renewal: ClaimsRenewal,
    private readonly queries: QueryBus,
  ) {}

  /** Rejects with `agency_choice_required`, or with `forbidden` for a stranger and for a role without the right. */
  async withRight(right: Right, signedIn: SignedIn, requestId: string): Promise<DashboardSession> {
    const { opened } = signedIn;
    const { person } = opened.session;
    const agencyId = agencyOf(signedIn);
    if (agencyId === undefined) {
      const mayChoose = person.agencies.length > 0 || person.roles.includes('operator');
      throw new DomainError(mayChoose ? 'agency_choice_required' : 'forbidden');
    }
    const found = await this.roleIn(agencyId, opened);
    if (found === undefined || !RIGHTS_OF[found.role].includes(right)) throw new DomainError('forbidden');
    const workspaceId = workspaceOf(agencyId);
    const context = {
      actor: actorOf(person, found.role !== 'operator'),
      correlationId: requestId,
      causationId: null,
      workspaceId,
      consistencyToken: new ConsistencyToken(),
    };
    return { ...found, opened, agencyId, workspaceId, context };
  }

  /** Whether the session continues and keeps the right, without counting as a use of it. */
  async mayGoOn({ opened, agencyId }: DashboardSession, right: Right): Promise<boolean> {
    const found = await this.sessions.look(opened.secret);
    const renewed = found && (await this.renewal.renewed(found));
    const present = renewed && (await this.roleIn(agencyId, renewed));
    return present !== undefined && RIGHTS_OF[present.role].includes(right);
  }

  /**
   * Returns undefined for a stranger, without asking the platform. Ends the session of a former owner, and rejects with
   * `session_required`.
   */
  async roleIn(agencyId: AgencyId, opened: OpenSession): Promise<RoleInAgency | undefined> {
    const { person, owned } = opened.session;
    if (!mayBeOf(person, agencyId)) return undefined;
    const agency = await this.queries.execute(new DescribeAgency(agencyId));
    const role = roleIn(person, agency.native);
    const wasOwner = owned.includes(agencyId);
    if (agency.native !== 'unavailable' && wasOwner && role !== 'owner') {
      await this.sessions.end(opened.secret);
      throw new DomainError('session_required');
    }
    if (role === 'owner' && !wasOwner) {
      const changed = await this.sessions.change(opened, (present) =>
        present.owned.includes(agencyId) ? {} : { owned: [...present.owned, agencyId] },
      );
      if (changed === undefined) throw new DomainError('session_required');
    }
    return { role, agency };
  }
}

/** The agency that the request names, or the only one of a person who has just one. */
export const agencyOf = ({ chosen, opened }: SignedIn): AgencyId | undefined => {
  const { agencies, roles } = opened.session.person;
  if (chosen !== undefined || agencies.length !== 1 || roles.includes('operator')) return chosen;
  return agencies[0];
};
