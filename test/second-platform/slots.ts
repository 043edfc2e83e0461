import { type Answer, Refusal } from './answer.js';
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

export function occupySlot(world: World, { path }: Call): Answer {
  const member = world.member(path.agency_id, path.user_id);
  if (!member.heldByApi && !member.heldByDashboard) claimOne(world, world.agency(path.agency_id));
  member.heldByApi = true;
  return { status: 200 };
}

export function releaseSlot(world: World, { path }: Call): Answer {
  const member = world.agency(path.agency_id).members.get((path.user_id ?? '').toLowerCase());
  if (member) member.heldByApi = false;
  return { status: 204 };
}

export function claimOne(world: World, agency: Agency): void {
  if (occupied(agency) + reserved(world, agency) >= agency.total_slots) throw new Refusal(409, 'capacity_reached');
}

const occupied = (agency: Agency) =>
  [...agency.members.values()].filter(({ heldByApi, heldByDashboard }) => heldByApi || heldByDashboard).length;

const reserved = (world: World, agency: Agency) =>
  [...agency.invited.values()].filter((invited) => world.asOfNow(invited).invitation.status === 'pending').length;
