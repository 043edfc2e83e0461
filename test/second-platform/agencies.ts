import type { NativeCreator, Profile } from '../../apps/platform-sandbox/src/contract/types.js';
import { type Answer, CANARY, Refusal } from './answer.js';
import { ascending, pageOf } from './findings.js';
import type { Call } from './strict-request.js';
import type { AgencyRecord, World } from './world.js';

/** A minute: shorter than people read. */
const VALID_MS = 60_000;

/** None is the default, and what may be absent or null is the one here and the other there. */
export function listPaymentMethods(world: World, { path }: Call): Answer {
  const { paymentMethods } = offeredTo(world, path.agency_id);
  return { status: 200, body: { data: paymentMethods.map((method) => ({ ...method, iban: CANARY })), page: 1 } };
}

/** The page is at a third place, and its address holds what has to stay as it is. */
export function createBillingSession(world: World, { path, body }: Call): Answer {
  offeredTo(world, path.agency_id);
  const back = encodeURIComponent((body as { return_url: string }).return_url);
  const url = `https://paiements.second.example:8443/p;v=2/${world.scattered()}?retour=${back}&x=%C3%A9#carte`;
  return { status: 201, body: { url, expires_at: world.now() + VALID_MS, secret: CANARY } };
}

function offeredTo(world: World, agencyId: string | undefined): AgencyRecord {
  const agency = world.agency(agencyId);
  if (agency.billingLacks) throw new Refusal(agency.billingLacks, 'not_offered');
  return agency;
}

/** Capacity and holds. A creator takes one slot, with any holder and any number of holds. */
export function getAgency(world: World, { path }: Call): Answer {
  const { id, name, onboarding_complete, kyc_status, owner_user_id } = world.agency(path.agency_id);
  return { status: 200, body: { id, name, onboarding_complete, kyc_status, owner_user_id } };
}

export function getCapacity(world: World, { path }: Call): Answer {
  const agency = world.agency(path.agency_id);
  const { plan, subscription_status, protection_eligible, total_slots, api_included } = agency;
  const taken = { occupied_slots: occupied(agency), reserved_slots: reserved(world, agency) };
  return { status: 200, body: { plan, subscription_status, protection_eligible, total_slots, api_included, ...taken } };
}

export function occupySlot(world: World, call: Call): Answer {
  const { path } = call;
  const member = world.member(path.agency_id, path.user_id);
  raiseFence(world.agency(path.agency_id), call);
  if (!member.heldByApi && !member.heldByDashboard) claimOne(world, world.agency(path.agency_id));
  member.heldByApi = true;
  return { status: 200 };
}

export function releaseSlot(world: World, call: Call): Answer {
  const { path } = call;
  raiseFence(world.agency(path.agency_id), call);
  const member = world.agency(path.agency_id).members.get((path.user_id ?? '').toLowerCase());
  if (member) member.heldByApi = false;
  return { status: 204 };
}

/** Its cursor says only that there is more, as that of the roster. */
export function listSlots(world: World, { path, query }: Call): Answer {
  const agency = world.agency(path.agency_id);
  const held = [...agency.members.entries()]
    .filter(([, { heldByApi }]) => heldByApi)
    .map(([id, { creator }]) => ({ user_id: creator.user_id, fence: agency.fences.get(id) ?? 1 }))
    .sort((one, other) => ascending(one.user_id.toLowerCase(), other.user_id.toLowerCase()));
  const page = pageOf(held, ({ user_id }) => user_id.toLowerCase(), query.after?.toLowerCase(), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && 'there is more' } };
}

function raiseFence({ fences }: AgencyRecord, { path, fence }: Call): void {
  const user = (path.user_id ?? '').toLowerCase();
  const highest = fences.get(user) ?? 1;
  if (fence < highest) throw new Refusal(409, 'stale_fence', { fence: highest });
  fences.set(user, fence);
}

export function claimOne(world: World, agency: AgencyRecord): void {
  if (occupied(agency) + reserved(world, agency) >= agency.total_slots) throw new Refusal(409, 'capacity_reached');
}

const occupied = (agency: AgencyRecord) =>
  [...agency.members.values()].filter(({ heldByApi, heldByDashboard }) => heldByApi || heldByDashboard).length;

const reserved = (world: World, agency: AgencyRecord) =>
  [...agency.invited.values()].filter((invited) => world.asOfNow(invited).invitation.status === 'pending').length;

/** The agency's creators. Its cursor says only that there is more: the next page is asked for by the last `user_id`. */
export function listRoster(world: World, { path, query }: Call): Answer {
  const listed = [...world.agency(path.agency_id).members.values()]
    .map(({ creator }) => creator)
    .filter(({ is_staff, onboarding_complete, invitation_reference }) => {
      return !is_staff && (onboarding_complete || invitation_reference === null);
    })
    .sort((one, other) => ascending(sameCase(one), sameCase(other)));
  const page = pageOf(listed, sameCase, query.after?.toLowerCase(), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && 'there is more' } };
}

export function getNativeCreator(world: World, { path }: Call): Answer {
  return { status: 200, body: world.member(path.agency_id, path.user_id).creator };
}

/** A UUID is the same in capitals. */
const sameCase = ({ user_id }: NativeCreator) => user_id.toLowerCase();

interface IdentityChange {
  display_name?: string;
  aliases?: string[];
  profiles?: Profile[];
}

export function updateIdentity(world: World, { path, body }: Call): Answer {
  const { creator } = world.member(path.agency_id, path.user_id);
  const { display_name, aliases = [], profiles = [] } = body as IdentityChange;
  const before = JSON.stringify(creator);
  if (display_name !== undefined) creator.display_name = display_name;
  creator.aliases = [...new Set([...creator.aliases, ...aliases])];
  for (const profile of profiles) merge(creator.profiles, profile);
  if (JSON.stringify(creator) !== before) creator.updated_at = world.changedAfter(creator.updated_at);
  return { status: 200, body: creator };
}

function merge(existing: Profile[], { platform, username, profile_id }: Profile): void {
  const byName = (one: Profile) => one.username.toLowerCase() === username.toLowerCase();
  const same = existing.find((one) => {
    if (one.platform !== platform) return false;
    if (platform !== 'manyvids' || !(one.profile_id || profile_id)) return byName(one);
    return one.profile_id === profile_id;
  });
  if (!same) existing.push({ platform, username, ...(profile_id && { profile_id }) });
  else if (profile_id) same.profile_id = profile_id;
}
