import { randomUUID } from 'node:crypto';
import { afterOf, type Call, changedTo, type Operations, ok, page } from '../operation.js';
import { conflict, Refusal } from '../refusal.js';
import type { AgencyRecord, SlotRecord } from '../state/records.js';
import { fenceId, type World } from '../state/world.js';
import { agencyOf, creatorOf } from './membership.js';

export function countSlots(world: World, agencyId: string) {
  const { total_slots, dashboard_slots } = agencyOf(world, agencyId);
  return {
    total_slots,
    occupied_slots: dashboard_slots + world.slots.count(agencyId),
    reserved_slots: world.invitations.count(agencyId) - world.invitations.due(agencyId, world.now()).length,
  };
}

export function requireFreeSlot(world: World, agencyId: string): void {
  const { total_slots, occupied_slots, reserved_slots } = countSlots(world, agencyId);
  if (occupied_slots + reserved_slots >= total_slots) {
    throw conflict('capacity_reached', 'The agency has no free slot.');
  }
}

export const agencyOperations: Operations = {
  getAgency: (world, { agencyId }) => ok(agencyOf(world, agencyId)),
  getCapacity: (world, { agencyId }) => ok({ ...agencyOf(world, agencyId), ...countSlots(world, agencyId) }),

  /** A creator has one slot: where the dashboard holds it already, this hold takes no second one. */
  occupySlot(world, call) {
    const { user_id, slot, agency_id } = fenced(world, call);
    if (slot?.api) return changedTo(undefined, false);
    if (!slot) requireFreeSlot(world, agency_id);
    world.slots.put({ user_id, agency_id, dashboard: slot?.dashboard ?? false, api: true });
    world.countEffect('slots', user_id);
    return changedTo(undefined, true);
  },

  releaseSlot(world, call) {
    const { user_id, slot } = fenced(world, call);
    if (!slot?.api) return { status: 204, changed: false };
    holdSlot(world, { ...slot, api: false });
    world.countEffect('slots', user_id);
    return { status: 204, changed: true };
  },

  listSlots(world, call) {
    const { id } = agencyOf(world, call.agencyId);
    const held = heldByApi(world, world.slots.ascending(id, afterOf(call)?.toLowerCase()));
    return page(held, call, (slot) => slot.user_id);
  },
};

/** A slot that a control has given to this API has no fence yet. */
function* heldByApi(world: World, slots: Iterable<SlotRecord>) {
  for (const { api, agency_id, user_id } of slots) {
    if (api) yield { user_id, fence: world.fences.get(fenceId(agency_id, user_id))?.fence ?? 1 };
  }
}

/** A lower fence than the highest one changes nothing; also a call that is then refused raises it. */
function fenced(world: World, call: Call) {
  const { user_id } = creatorOf(world, call);
  const { agencyId, fence } = call;
  const highest = world.fences.get(fenceId(agencyId, user_id))?.fence ?? 0;
  if (fence < highest) {
    throw new Refusal(409, 'stale_fence', 'A later change of this slot was seen.', { fence: highest });
  }
  if (fence > highest) world.fences.put({ user_id, agency_id: agencyId, fence });
  return { user_id, agency_id: agencyId, slot: world.slots.get(user_id) };
}

/** Keeps the record while anyone holds the slot. */
export function holdSlot(world: World, slot: SlotRecord): void {
  if (slot.api || slot.dashboard) world.slots.put(slot);
  else world.slots.remove(slot.user_id);
}

export function newAgency(id: string): AgencyRecord {
  return {
    id,
    name: `Agency ${id}`,
    onboarding_complete: true,
    kyc_status: 'approved',
    owner_user_id: randomUUID(),
    plan: 'agency_pro',
    subscription_status: 'active',
    protection_eligible: true,
    total_slots: 10,
    api_included: true,
    dashboard_slots: 0,
  };
}
