import { Refusal } from './answer.js';
import type { Agency, DeindexSubmission, Invited, Member, ScanJob } from './records.js';

/** The whole state, in memory, and the ways to find something in it. */
export class World {
  readonly agencies = new Map<string, Agency>();
  readonly jobs = new Map<string, { job: ScanJob; user_id: string }>();
  readonly submissions = new Map<string, DeindexSubmission>();
  readonly uninvitable = new Set<string>();
  jobsEnd: 'automatically' | 'by control' = 'by control';
  private made = 0;

  constructor(readonly now: () => number) {}

  /** A number that scatters: ids made from it sort in another order than they were made in. */
  scattered(): string {
    this.made += 1;
    return ((this.made * 0x9e3779b1) >>> 0).toString(36).padStart(7, '0');
  }

  agency(id = ''): Agency {
    return this.agencies.get(id) ?? notFound();
  }

  /** A current creator, one that was invited and accepted, or one of the staff. */
  member(agencyId = '', userId = ''): Member {
    return this.agency(agencyId).members.get(userId.toLowerCase()) ?? notFound();
  }

  /** The invitation as it is by now: the clock alone makes a pending one expire. */
  invited(agencyId = '', invitationId = ''): Invited {
    return this.asOfNow(this.agency(agencyId).invited.get(invitationId) ?? notFound());
  }

  asOfNow(invited: Invited): Invited {
    const { invitation } = invited;
    if (invitation.status === 'pending' && invitation.expires_at <= this.now()) invitation.status = 'expired';
    return invited;
  }

  /** The moment of a change: after the last one, even if the clock has not advanced. */
  changedAfter(last: number): number {
    return Math.max(this.now(), last + 1);
  }
}

export function notFound(): never {
  throw new Refusal(404, 'not_found');
}
