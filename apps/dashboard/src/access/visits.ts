import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type AgencyDescription, DescribeAgency, workspaceOf } from '#agencies';
import { actorOf, mayBeOf, type OpenSession, RIGHTS_OF, type Right, type Role, roleIn, Sessions } from '#dashboard';
import { type AgencyId, ConsistencyToken, DomainError } from '#kernel';
import { ClaimsRenewal } from '../provider/claims-renewal.js';
import type { SignedIn, Visit } from './visit.js';

/** What a person is in one agency at this moment. */
export interface Standing {
  readonly role: Role;
  readonly agency: AgencyDescription;
}

/** Finds out for which agency a request is, and as what. */
@Injectable()
export class Visits {
  constructor(
    private readonly sessions: Sessions,
    private readonly renewal: ClaimsRenewal,
    private readonly queries: QueryBus,
  ) {}

  /** Rejects with `agency_choice_required`, or with `forbidden` for a stranger and for a role without the right. */
  async withRight(right: Right, signedIn: SignedIn, requestId: string): Promise<Visit> {
    const { opened } = signedIn;
    const { person } = opened.session;
    const agencyId = agencyOf(signedIn);
    if (agencyId === undefined) {
      const mayChoose = person.agencies.length > 0 || person.roles.includes('operator');
      throw new DomainError(mayChoose ? 'agency_choice_required' : 'forbidden');
    }
    const standing = await this.standing(opened, agencyId);
    if (standing === undefined || !RIGHTS_OF[standing.role].includes(right)) throw new DomainError('forbidden');
    const { role, agency } = standing;
    const workspaceId = workspaceOf(agencyId);
    const context = {
      actor: actorOf(person, role !== 'operator'),
      correlationId: requestId,
      causationId: null,
      workspaceId,
      consistencyToken: new ConsistencyToken(),
    };
    return { opened, role, agencyId, workspaceId, agency, context };
  }

  /** Whether an answer that goes on may go on: the session has not ended, which this does not use, and the right is kept. */
  async mayGoOn({ opened, agencyId }: Visit, right: Right): Promise<boolean> {
    const found = await this.sessions.look(opened.secret);
    const renewed = found && (await this.renewal.renewed(found));
    if (renewed === undefined) return false;
    const standing = await this.standing(renewed, agencyId);
    return standing !== undefined && RIGHTS_OF[standing.role].includes(right);
  }

  /** Undefined for a stranger, about whom the platform is not asked. Ends the session of a former owner, with `session_required`. */
  async standing(opened: OpenSession, agencyId: AgencyId): Promise<Standing | undefined> {
    const { person, owned } = opened.session;
    if (!mayBeOf(person, agencyId)) return undefined;
    const agency = await this.queries.execute(new DescribeAgency(agencyId));
    const role = roleIn(person, agency.native);
    const wasOwner = owned.includes(agencyId);
    if (agency.native !== 'unavailable' && wasOwner && role !== 'owner') {
      await this.sessions.end(opened.secret);
      throw new DomainError('session_required');
    }
    if (role === 'owner' && !wasOwner) await this.remember(opened, agencyId);
    return { role, agency };
  }

  private async remember(opened: OpenSession, agencyId: AgencyId): Promise<void> {
    const changed = await this.sessions.change(opened, ({ owned }) =>
      owned.includes(agencyId) ? {} : { owned: [...owned, agencyId] },
    );
    if (changed === undefined) throw new DomainError('session_required');
  }
}

/** The agency that the request names, or the only one of a person who has no choice. */
export const agencyOf = ({ chosen, opened }: SignedIn): AgencyId | undefined => {
  const { agencies, roles } = opened.session.person;
  if (chosen !== undefined || agencies.length !== 1 || roles.includes('operator')) return chosen;
  return agencies[0];
};
