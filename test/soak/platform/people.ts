import { createHash } from 'node:crypto';

/** What the soak wants of an agency at the platform. */
export interface AgencyPlan {
  readonly id: string;
  readonly creators: number;
  /** How many of them have the longest lists and as many records as the contract allows. */
  readonly giants: number;
}

export interface Person {
  readonly userId: string;
  readonly seed: number;
  readonly isGiant: boolean;
  readonly invitationReference: string | null;
  displayName: string;
  aliases: string[];
  profiles: { platform: string; username: string; profile_id: string | null }[];
  /** Leaks that scan jobs have found; others are there from the start. */
  readonly found: { readonly jobId: string; readonly at: number }[];
  updatedAt: number;
}

export interface Agency {
  readonly id: string;
  readonly people: Map<string, Person>;
  /** In the order of the contract. */
  readonly userIds: string[];
  readonly slots: Set<string>;
  readonly invitations: Map<string, Invitation>;
}

export interface Invitation {
  readonly id: string;
  readonly reference: string;
  readonly displayName: string;
  status: 'pending' | 'onboarded' | 'cancelled';
  userId: string | null;
  readonly invitedAt: number;
}

const GIANT_ALIASES = 3_000;
const ALIAS_LENGTH = 160;

export const agencyOf = ({ id, creators, giants }: AgencyPlan): Agency => {
  const agency: Agency = { id, people: new Map(), userIds: [], slots: new Set(), invitations: new Map() };
  for (let n = 0; n < creators; n++) addPerson(agency, { isGiant: n < giants, displayName: `Person ${n}` });
  return agency;
};

/** User ids rise, so that the roster stays in order. */
export const addPerson = (
  agency: Agency,
  { isGiant = false, displayName, invitationReference = null }: Partial<Person> & { readonly displayName: string },
): Person => {
  const n = agency.userIds.length;
  const tail = createHash('sha256').update(`${agency.id} ${n}`).digest('hex').slice(0, 12);
  const userId = `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${tail}`;
  const person: Person = {
    userId,
    seed: Number.parseInt(tail.slice(0, 6), 16),
    isGiant,
    invitationReference,
    displayName,
    aliases: isGiant ? Array.from({ length: GIANT_ALIASES }, (_, i) => longAlias(n, i)) : [`alias ${tail}`],
    profiles: [{ platform: 'instagram', username: `person_${tail}`, profile_id: null }],
    found: [],
    updatedAt: Date.now(),
  };
  agency.people.set(userId, person);
  agency.userIds.push(userId);
  return person;
};

/** Quotes take twice their length in JSON, and twice that where JSON is in JSON. */
const longAlias = (person: number, n: number): string => `${person} ${n} `.padEnd(ALIAS_LENGTH, '"');

/** As JSON, made once for each state: a giant's takes a megabyte. */
export const jsonOf = (person: Person): string => {
  const known = texts.get(person);
  if (known?.updatedAt === person.updatedAt) return known.text;
  const text = JSON.stringify(shownPerson(person));
  texts.set(person, { updatedAt: person.updatedAt, text });
  return text;
};

const texts = new WeakMap<Person, { readonly updatedAt: number; readonly text: string }>();

const shownPerson = (person: Person) => ({
  user_id: person.userId,
  invitation_reference: person.invitationReference,
  display_name: person.displayName,
  aliases: person.aliases,
  profiles: person.profiles,
  is_staff: false,
  onboarding_complete: true,
  authorization: { approved: true, status: 'approved', expires_at: null },
  entitlement: { active: true, source: 'agency_plan' },
  updated_at: person.updatedAt,
});

export const shownInvitation = ({ id, reference, status, userId, invitedAt }: Invitation) => ({
  id,
  reference,
  status,
  user_id: userId,
  email_sent: true,
  expires_at: invitedAt + 7 * 86_400_000,
});
