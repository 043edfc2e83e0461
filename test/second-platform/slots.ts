import { type Answer, Refusal } from './answer.js';
import { ascending, pageOf } from './paging.js';
import type { Agency } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

/** Capacity and holds. A creator takes one slot, with any holder and any number of holds. */
export function getAgency(world: World, { path }: Call): Answer {
  const { id, name, onboarding_complete, kyc_status, owner_user_id } = world.agency(path.agency_id);
  return { status: 200, body: { id, name, onboarding_complete, kyc_status, owner_user_id } };
}

export function getCapacity(world: World, { path }: Call): Answer {
  const agency = world.agency(path.agency_id);
  const { plan, subscription_status, protection_eligible, total_slots, api_included } = agency;
  const taken = { occupied_slots: occupied(agency), reserved_slots: reserved(world, agency) };
  return {
    status: 200,
    body: { plan, subscription_status, protection_eligible, total_slots, api_included, ...taken },
  };
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

function raiseFence({ fences }: Agency, { path, fence }: Call): void {
  const user = (path.user_id ?? '').toLowerCase();
  const highest = fences.get(user) ?? 1;
  if (fence < highest) throw new Refusal(409, 'stale_fence', { fence: highest });
  fences.set(user, fence);
}

export function claimOne(world: World, agency: Agency): void {
  if (occupied(agency) + reserved(world, agency) >= agency.total_slots) throw new Refusal(409, 'capacity_reached');
}

const occupied = (agency: Agency) =>
  [...agency.members.values()].filter(({ heldByApi, heldByDashboard }) => heldByApi || heldByDashboard).length;

const reserved = (world: World, agency: Agency) =>
  [...agency.invited.values()].filter((invited) => world.asOfNow(invited).invitation.status === 'pending').length;
