import { CANARY } from './answer.js';
import { byReference } from './invitations.js';
import { ascending } from './paging.js';
import type {
  Activity,
  Agency,
  Creator,
  DeindexSubmission,
  Impersonation,
  Invitation,
  Leak,
  Member,
  ScanJob,
} from './records.js';
import { notFound, type World } from './world.js';

/** What happens on the platform's own side: the hands of the dashboard, the creator, the engine and the provider. */
export class Control {
  constructor(private readonly world: World) {}

  openAgency(id: string, given: Partial<Agency> = {}): Agency {
    const agency: Agency = {
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
    this.world.agencies.set(id, agency);
    return agency;
  }

  changeAgency(
    id: string,
    change: Partial<
      Pick<Agency, 'onboarding_complete' | 'kyc_status' | 'total_slots' | 'billingLacks' | 'owner_user_id'>
    >,
  ): void {
    Object.assign(this.world.agency(id), change);
  }

  closeAgency(id: string): void {
    this.world.agencies.delete(id);
  }

  addCreator(agencyId: string, given: Partial<Creator> = {}): Creator {
    const creator: Creator = {
      user_id: crypto.randomUUID(),
      invitation_reference: null,
      display_name: 'Zoë مرحبا',
      aliases: [],
      profiles: [],
      is_staff: false,
      onboarding_complete: true,
      authorization: { approved: true, expires_at: null },
      entitlement: { active: true },
      updated_at: this.world.now(),
      ...given,
    };
    this.world.agency(agencyId).members.set(creator.user_id.toLowerCase(), {
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
  acceptInvitation(agencyId: string, reference: string): Creator {
    const invited = byReference(this.world.agency(agencyId), reference) ?? notFound();
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
    const invited = byReference(this.world.agency(agencyId), creator.invitation_reference ?? '');
    if (invited) invited.invitation.status = 'onboarded';
  }

  changeMandate(agencyId: string, userId: string, authorization: Creator['authorization']): void {
    this.changed(agencyId, userId).creator.authorization = authorization;
  }

  changeEntitlement(agencyId: string, userId: string, entitlement: Creator['entitlement']): void {
    this.changed(agencyId, userId).creator.entitlement = entitlement;
  }

  holdByDashboard(agencyId: string, userId: string): void {
    this.world.member(agencyId, userId).heldByDashboard = true;
  }

  leave(agencyId: string, userId: string): void {
    this.world.agency(agencyId).members.delete(userId.toLowerCase());
  }

  invitation(agencyId: string, reference: string): Invitation {
    return (byReference(this.world.agency(agencyId), reference) ?? notFound()).invitation;
  }

  refuseAddress(email: string): void {
    this.world.uninvitable.add(email);
  }

  addLeak(agencyId: string, userId: string, given: Partial<Leak> = {}): Leak {
    const now = this.world.now();
    const leak: Leak = {
      leak_id: `${this.world.scattered()}:leak/ü`,
      url: `https://leaks.example/${this.world.scattered()}?q=a%20b&r=é#top`,
      status: 'gefunden',
      status_code: 'detected',
      actionable: null,
      dead_on_arrival: null,
      created_at: now,
      updated_at: now,
      job_id: null,
      ...given,
    };
    const member = this.world.member(agencyId, userId);
    member.leaks.set(leak.leak_id, leak);
    this.witness(member, leak, 'leak.detected');
    return leak;
  }

  changeLeak(agencyId: string, userId: string, leakId: string, change: Partial<Leak>): void {
    const member = this.world.member(agencyId, userId);
    const leak = member.leaks.get(leakId) ?? notFound();
    Object.assign(leak, change, { updated_at: this.world.changedAfter(leak.updated_at) });
    this.witness(member, leak, WITNESSED[leak.status_code] ?? 'leak.status');
  }

  removeLeak(agencyId: string, userId: string, leakId: string): void {
    this.world.member(agencyId, userId).leaks.delete(leakId);
  }

  addImpersonation(agencyId: string, userId: string, given: Partial<Impersonation> = {}): Impersonation {
    const now = this.world.now();
    const impersonation: Impersonation = {
      impersonation_id: `fake:${this.world.scattered()}`,
      platform: 'patreon',
      url: 'https://patreon.com/not-her',
      username: null,
      status: 'open',
      created_at: now,
      updated_at: now,
      private_notes: CANARY,
      ...given,
    };
    this.world.member(agencyId, userId).impersonations.set(impersonation.impersonation_id, impersonation);
    return impersonation;
  }

  letJobsEnd(): void {
    this.world.jobsEnd = 'automatically';
  }

  /** The engine ends a job; its leaks are listed before it says so. */
  endScan(reference: string, end: Pick<ScanJob, 'status'> & Partial<ScanJob>): ScanJob {
    const found = [...this.world.jobs.values()].find(({ job }) => job.reference === reference) ?? notFound();
    return Object.assign(found.job, end);
  }

  moveSubmission(reference: string, change: Partial<DeindexSubmission>): void {
    const submission = this.world.submissions.get(reference) ?? notFound();
    Object.assign(submission, change, { updated_at: this.world.changedAfter(submission.updated_at) });
  }

  submissions(): DeindexSubmission[] {
    return [...this.world.submissions.values()].sort((one, other) => ascending(one.reference, other.reference));
  }

  jobs(): ScanJob[] {
    return [...this.world.jobs.values()].map(({ job }) => job);
  }

  member(agencyId: string, userId: string): Member {
    return this.world.member(agencyId, userId);
  }

  private changed(agencyId: string, userId: string): Member {
    const member = this.world.member(agencyId, userId);
    member.creator.updated_at = this.world.changedAfter(member.creator.updated_at);
    return member;
  }

  private witness({ activity }: Member, leak: Leak, type: Activity['type']): void {
    activity.push({
      id: `a/${this.world.scattered()}`,
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

const WITNESSED: Partial<Record<Leak['status_code'], Activity['type']>> = {
  notice_sent: 'notice.sent',
  removed: 'leak.removed',
};
