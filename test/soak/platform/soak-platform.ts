import { ScanJobs, Submissions } from './jobs.js';
import {
  type Agency,
  type AgencyPlan,
  addPerson,
  agencyOf,
  type Invitation,
  jsonOf,
  type Person,
  shownInvitation,
} from './people.js';
import { activityPage, impersonationPage, leakPage } from './records.js';

export interface PlatformRequest {
  readonly method: string;
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly key: string;
  readonly body: Record<string, unknown>;
}

export interface PlatformAnswer {
  readonly status: number;
  readonly body?: object | undefined;
  /** The body where it is JSON already. */
  readonly json?: string;
}

/** Slots of every agency: the capacity is not what the soak is about. */
const SLOTS = 20_000;
/** Invitees accept after this time. */
const ACCEPTED_AFTER = 8_000;
const MAX_ALIASES = 5_000;

const NOT_FOUND: PlatformAnswer = error(404, 'not_found');

function error(status: number, code: string): PlatformAnswer {
  return { status, body: { error: { code, message: code } } };
}

const okOrNotFound = (body: object | undefined, status = 200): PlatformAnswer =>
  body === undefined ? NOT_FOUND : { status, body };

/** The contract's three services, as cheap as they can be: records are made when they are asked for. */
export class SoakPlatform {
  private readonly agencies: Map<string, Agency>;
  private readonly jobs = new ScanJobs();
  private readonly submissions = new Submissions();
  /** What is there from the start was last changed well before it. */
  private readonly epoch = Date.now() - 3_600_000;
  /** Agencies of which the roster has been read to its end. */
  readonly walked = new Set<string>();

  constructor(plans: readonly AgencyPlan[]) {
    this.agencies = new Map(plans.map((plan) => [plan.id, agencyOf(plan)]));
  }

  answer(request: PlatformRequest): PlatformAnswer {
    const [kind, id = '', ...rest] = request.path;
    if (kind === 'scan-jobs') return this.scanJob(request, id);
    if (kind === 'deindex-submissions') return this.submission(request);
    const agency = kind === 'agencies' ? this.agencies.get(id) : undefined;
    return agency === undefined ? NOT_FOUND : this.ofAgency(agency, rest, request);
  }

  private ofAgency(agency: Agency, [kind, id, ...rest]: readonly string[], request: PlatformRequest): PlatformAnswer {
    switch (kind) {
      case undefined:
        return { status: 200, body: shownAgency(agency) };
      case 'capacity':
        return { status: 200, body: shownCapacity(agency) };
      case 'slots':
        // A platform may lack the list of slots.
        return id === undefined ? NOT_FOUND : this.slot(agency, id, request.method);
      case 'invitations':
        return this.invitation(agency, id, request);
      case 'creators':
        return id === undefined ? this.roster(agency, request.query) : this.ofPerson(agency, id, rest[0], request);
      default:
        return NOT_FOUND;
    }
  }

  private roster(agency: Agency, query: URLSearchParams): PlatformAnswer {
    this.acceptInvitations(agency);
    const after = query.get('after') ?? '';
    const from = agency.userIds.findIndex((userId) => userId > after);
    const until = from + Number(query.get('limit') ?? 100);
    const page = from < 0 ? [] : agency.userIds.slice(from, until);
    const isLast = from < 0 || until >= agency.userIds.length;
    if (isLast) this.walked.add(agency.id);
    const data = page.flatMap((userId) => agency.people.get(userId) ?? []).map(jsonOf);
    const next = JSON.stringify(isLast ? null : page.at(-1));
    return { status: 200, json: `{"data":[${data.join(',')}],"next_cursor":${next}}` };
  }

  private ofPerson(agency: Agency, userId: string, list: string | undefined, request: PlatformRequest): PlatformAnswer {
    const person = agency.people.get(userId);
    if (person === undefined) return NOT_FOUND;
    const { method, query, body, key } = request;
    const page = {
      limit: Number(query.get('limit') ?? 100),
      after: query.get('after') ?? query.get('cursor') ?? undefined,
      since: Number(query.get('updated_since') ?? 0),
    };
    switch (list) {
      case undefined:
        if (method === 'PATCH') change(person, body);
        return { status: 200, json: jsonOf(person) };
      case 'leaks':
        return { status: 200, body: leakPage(person, page, this.epoch) };
      case 'activity':
        return { status: 200, body: activityPage(person, page, this.epoch) };
      case 'impersonations':
        if (method === 'POST') return { status: 201, body: reported(key, String(body.url)) };
        return { status: 200, body: impersonationPage(person, page, this.epoch) };
      default:
        return NOT_FOUND;
    }
  }

  private slot(agency: Agency, userId: string, method: string): PlatformAnswer {
    if (!agency.people.has(userId)) return NOT_FOUND;
    if (method === 'PUT') agency.slots.add(userId);
    else agency.slots.delete(userId);
    return method === 'PUT' ? { status: 200, body: {} } : { status: 204 };
  }

  private invitation(agency: Agency, id: string | undefined, { method, query, key, body }: PlatformRequest) {
    this.acceptInvitations(agency);
    const { invitations } = agency;
    if (method === 'POST' && id === undefined) {
      const invited = invitations.get(`inv_${key}`) ?? invitationOf(key, String(body.display_name));
      invitations.set(invited.id, invited);
      return { status: 201, body: shownInvitation(invited) };
    }
    if (id === undefined) {
      const found = invitations.get(`inv_${query.get('reference')}`);
      return { status: 200, body: { data: found === undefined ? [] : [shownInvitation(found)] } };
    }
    const invited = invitations.get(id);
    if (invited === undefined) return NOT_FOUND;
    if (method === 'DELETE') {
      if (invited.status === 'onboarded') return error(409, 'creator_onboarding_completed');
      invited.status = 'cancelled';
    }
    return { status: 200, body: shownInvitation(invited) };
  }

  /** Every other invitee accepts and completes onboarding. */
  private acceptInvitations(agency: Agency): void {
    const due = Date.now() - ACCEPTED_AFTER;
    for (const invited of agency.invitations.values()) {
      if (invited.status !== 'pending' || invited.invitedAt > due || invited.invitedAt % 2 === 0) continue;
      const { reference, displayName } = invited;
      const person = addPerson(agency, { displayName, invitationReference: reference });
      invited.status = 'onboarded';
      invited.userId = person.userId;
    }
  }

  private scanJob({ method, query, body, key }: PlatformRequest, jobId: string): PlatformAnswer {
    if (method === 'POST') {
      const person = this.agencies.get(String(body.agency_id))?.people.get(String(body.user_id));
      if (person === undefined) return error(422, 'nothing_to_scan');
      const dispatched = this.jobs.dispatch(key, (job) => person.found.push({ jobId: job.jobId, at: Date.now() }));
      return okOrNotFound(dispatched, 202);
    }
    if (jobId !== '') return okOrNotFound(this.jobs.shown(jobId));
    const found = this.jobs.shown(`job_${query.get('reference')}`);
    return { status: 200, body: { data: found === undefined ? [] : [found] } };
  }

  private submission({ method, query, key }: PlatformRequest): PlatformAnswer {
    if (method === 'POST') return okOrNotFound(this.submissions.submit(key), 202);
    const found = this.submissions.shown(query.get('reference') ?? '');
    return { status: 200, body: { data: found === undefined ? [] : [found] } };
  }
}

const shownAgency = ({ id }: Agency) => ({
  id,
  name: `Agency ${id}`,
  onboarding_complete: true,
  kyc_status: 'approved',
  owner_user_id: '00000000-0000-4000-9000-000000000000',
});

const shownCapacity = ({ slots }: Agency) => ({
  plan: 'soak',
  subscription_status: 'active',
  protection_eligible: true,
  total_slots: SLOTS,
  occupied_slots: slots.size,
  reserved_slots: 0,
  api_included: true,
});

const invitationOf = (reference: string, displayName: string): Invitation => ({
  id: `inv_${reference}`,
  reference,
  displayName,
  status: 'pending',
  userId: null,
  invitedAt: Date.now(),
});

const reported = (reference: string, url: string) => ({
  impersonation_id: `reported_${reference}`,
  platform: 'instagram',
  url,
  username: null,
  status: 'reported',
  created_at: Date.now(),
  updated_at: Date.now(),
});

/** Merges, as the contract has it; and keeps what is asked for within what a platform would. */
const change = (person: Person, body: Record<string, unknown>): void => {
  if (typeof body.display_name === 'string') person.displayName = body.display_name;
  const known = new Set(person.aliases);
  for (const alias of listOf<string>(body.aliases)) {
    if (!known.has(alias) && person.aliases.length < MAX_ALIASES) person.aliases.push(alias);
  }
  for (const profile of listOf<{ platform: string; username: string; profile_id?: string }>(body.profiles)) {
    const isKnown = person.profiles.some(
      ({ platform, username }) =>
        platform === profile.platform && username.toLowerCase() === profile.username.toLowerCase(),
    );
    if (!isKnown) person.profiles.push({ ...profile, profile_id: profile.profile_id ?? null });
  }
  person.updatedAt = Math.max(person.updatedAt + 1, Date.now());
};

const listOf = <Item>(value: unknown): readonly Item[] => (Array.isArray(value) ? value : []);
