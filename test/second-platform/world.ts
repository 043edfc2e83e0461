import type {
  Activity,
  Agency,
  Capacity,
  DeindexSubmission,
  Impersonation,
  Invitation,
  Leak,
  NativeCreator,
  PaymentMethod,
  ScanJob,
} from '../../apps/platform-sandbox/src/contract/types.js';
import { CANARY, Refusal } from './answer.js';

/** The whole state, in memory, and what the dashboard, the creator, the engine and the provider do with it. */
export class World {
  readonly agencies = new Map<string, AgencyRecord>();
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

  agency(id = ''): AgencyRecord {
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

  openAgency(id: string, given: Partial<AgencyRecord> = {}): AgencyRecord {
    const agency: AgencyRecord = {
      id,
      name: 'Agence « Été » & Sœurs',
      onboarding_complete: true,
      kyc_status: 'approved',
      owner_user_id: crypto.randomUUID(),
      plan: 'formule-été-2031',
      subscription_status: 'gift',
      protection_eligible: true,
      total_slots: 10,
      api_included: true,
      paymentMethods: [
        { id: 'méthode/1?é#', kind: 'virement', label: 'Virement « SEPA » مرحبا 💳 …3000', is_default: false },
        { id: 'méthode/2', kind: 'crypto_wallet', label: 'Portefeuille', expires: null, is_default: false },
      ],
      members: new Map(),
      invited: new Map(),
      fences: new Map(),
      ...given,
    };
    this.agencies.set(id, agency);
    return agency;
  }

  addCreator(agencyId: string, given: Partial<NativeCreator> = {}): NativeCreator {
    const creator: NativeCreator = {
      user_id: crypto.randomUUID(),
      invitation_reference: null,
      display_name: 'Zoë مرحبا',
      aliases: [],
      profiles: [],
      is_staff: false,
      onboarding_complete: true,
      authorization: { approved: true, expires_at: null },
      entitlement: { active: true },
      updated_at: this.now(),
      ...given,
    };
    this.agency(agencyId).members.set(creator.user_id.toLowerCase(), {
      creator,
      heldByApi: false,
      heldByDashboard: false,
      leaks: new Map(),
      impersonations: new Map(),
      activity: [],
    });
    return creator;
  }

  /** The invited person signs up: a member that the roster doesn't list, with no mandate yet. */
  acceptInvitation(agencyId: string, reference: string): NativeCreator {
    const invited = byReference(this.agency(agencyId), reference) ?? notFound();
    const creator = this.addCreator(agencyId, {
      invitation_reference: reference,
      display_name: invited.display_name,
      onboarding_complete: false,
      authorization: { approved: false },
      entitlement: { active: true, source: 'creator_subscription' },
    });
    Object.assign(invited.invitation, { status: 'accepted', user_id: creator.user_id });
    return creator;
  }

  completeOnboarding(agencyId: string, userId: string): void {
    const { creator } = this.changed(agencyId, userId);
    creator.onboarding_complete = true;
    const invited = byReference(this.agency(agencyId), creator.invitation_reference ?? '');
    if (invited) invited.invitation.status = 'onboarded';
  }

  invitation(agencyId: string, reference: string): Invitation {
    return (byReference(this.agency(agencyId), reference) ?? notFound()).invitation;
  }

  addLeak(agencyId: string, userId: string, given: Partial<Leak> = {}): Leak {
    const now = this.now();
    const leak: Leak = {
      leak_id: `${this.scattered()}:leak/ü`,
      url: `https://leaks.example/${this.scattered()}?q=a%20b&r=é#top`,
      status: 'gefunden',
      status_code: 'detected',
      actionable: null,
      dead_on_arrival: null,
      created_at: now,
      updated_at: now,
      job_id: null,
      ...given,
    };
    const member = this.member(agencyId, userId);
    member.leaks.set(leak.leak_id, leak);
    this.witness(member, leak, 'leak.detected');
    return leak;
  }

  changeLeak(agencyId: string, userId: string, leakId: string, change: Partial<Leak>): void {
    const member = this.member(agencyId, userId);
    const leak = member.leaks.get(leakId) ?? notFound();
    Object.assign(leak, change, { updated_at: this.changedAfter(leak.updated_at) });
    this.witness(member, leak, WITNESSED[leak.status_code] ?? 'leak.status');
  }

  addImpersonation(agencyId: string, userId: string, given: Partial<Impersonation> = {}): Impersonation {
    const now = this.now();
    const impersonation: Impersonation = {
      impersonation_id: `fake:${this.scattered()}`,
      platform: 'patreon',
      url: 'https://patreon.com/not-her',
      username: null,
      status: 'open',
      created_at: now,
      updated_at: now,
      private_notes: CANARY,
      ...given,
    };
    this.member(agencyId, userId).impersonations.set(impersonation.impersonation_id, impersonation);
    return impersonation;
  }

  /** The engine ends a job; its leaks are listed before it says so. */
  endScan(reference: string, end: Pick<ScanJob, 'status'> & Partial<ScanJob>): ScanJob {
    const found = [...this.jobs.values()].find(({ job }) => job.reference === reference) ?? notFound();
    return Object.assign(found.job, end);
  }

  moveSubmission(reference: string, change: Partial<DeindexSubmission>): void {
    const submission = this.submissions.get(reference) ?? notFound();
    Object.assign(submission, change, { updated_at: this.changedAfter(submission.updated_at) });
  }

  private changed(agencyId: string, userId: string): Member {
    const member = this.member(agencyId, userId);
    member.creator.updated_at = this.changedAfter(member.creator.updated_at);
    return member;
  }

  private witness({ activity }: Member, leak: Leak, type: Activity['type']): void {
    activity.push({
      id: `a/${this.scattered()}`,
      type,
      occurred_at: leak.updated_at,
      timestamp_basis: type === 'leak.status' ? 'record_updated' : 'recorded',
      leak_id: leak.leak_id,
      url: leak.url,
      status: leak.status,
      status_code: leak.status_code,
    });
  }
}

export function notFound(): never {
  throw new Refusal(404, 'not_found');
}

/** A creator with all that hangs on it; it all goes out of sight together. */
export interface Member {
  creator: NativeCreator;
  /** Two holds on one slot: this API's, and the dashboard's. */
  heldByApi: boolean;
  heldByDashboard: boolean;
  leaks: Map<string, Leak>;
  impersonations: Map<string, Impersonation>;
  activity: Activity[];
}

export interface Invited {
  invitation: Invitation;
  display_name: string;
}

export interface AgencyRecord extends Agency, Omit<Capacity, 'occupied_slots' | 'reserved_slots'> {
  /** The status with which this platform says that it has no billing routes; undefined where it has them. */
  billingLacks?: 404 | 405 | 501;
  paymentMethods: PaymentMethod[];
  members: Map<string, Member>;
  invited: Map<string, Invited>;
  /** The highest fence of each user's slot, which outlives the membership. */
  fences: Map<string, number>;
}

const WITNESSED: Partial<Record<Leak['status_code'], Activity['type']>> = {
  notice_sent: 'notice.sent',
  removed: 'leak.removed',
};

export const byReference = (agency: AgencyRecord, reference: string | undefined): Invited | undefined =>
  [...agency.invited.values()].find(({ invitation }) => invitation.reference === reference);
