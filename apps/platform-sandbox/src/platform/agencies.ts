import { randomUUID } from 'node:crypto';
import { afterOf, type Call, changedTo, type Operations, ok, page, Refusal } from '../operation.js';
import type { AgencyRecord, SlotRecord } from '../state/records.js';
import { slotId, type World } from '../state/world.js';
import { agencyOf, creatorOf } from './creators.js';

export function countSlots(world: World, agencyId: string) {
  const { total_slots, dashboard_slots } = agencyOf(world, agencyId);
  return {
    total_slots,
    occupied_slots: dashboard_slots + world.slots.count(agencyId),
    reserved_slots: world.invitations.count(agencyId) - world.invitations.between(agencyId, 0, world.now() + 1).length,
  };
}

export function requireFreeSlot(world: World, agencyId: string): void {
  const { total_slots, occupied_slots, reserved_slots } = countSlots(world, agencyId);
  if (occupied_slots + reserved_slots >= total_slots) {
    throw new Refusal(409, 'capacity_reached', 'The agency has no free slot.');
  }
}

export const agencyOperations: Operations = {
  getAgency: (world, { agencyId }) => ok(agencyOf(world, agencyId)),
  getCapacity: (world, { agencyId }) => ok({ ...agencyOf(world, agencyId), ...countSlots(world, agencyId) }),

  /** A creator has one slot: if the dashboard already holds it, this hold takes no second one. */
  occupySlot(world, call) {
    const slot = fenced(world, call);
    if (slot.api) return changedTo(undefined, false);
    if (!slot.dashboard) requireFreeSlot(world, slot.agency_id);
    world.slots.put({ ...slot, api: true });
    world.countEffect('slots', slot.user_id);
    return changedTo(undefined, true);
  },

  releaseSlot(world, call) {
    const slot = fenced(world, call);
    if (!slot.api) return { status: 204, changed: false };
    world.slots.put({ ...slot, api: false });
    world.countEffect('slots', slot.user_id);
    return { status: 204, changed: true };
  },

  listSlots(world, call) {
    const { id } = agencyOf(world, call.agencyId);
    const held = heldByApi(world.slots.ascending(id, afterOf(call)?.toLowerCase()));
    return page(held, call, (slot) => slot.user_id);
  },
};

/** A slot that a control has given to this API has no fence yet. */
function* heldByApi(slots: Iterable<SlotRecord>) {
  for (const { api, user_id, fence } of slots) if (api) yield { user_id, fence: Math.max(1, fence) };
}

/**
 * The slot of a call, with its fence. A fence below the highest changes nothing; a higher one stays, even if refused.
 */
function fenced(world: World, call: Call): SlotRecord {
  const slot = slotOf(world, call.agencyId, creatorOf(world, call).user_id);
  if (call.fence < slot.fence) {
    throw new Refusal(409, 'stale_fence', 'A later change of this slot was seen.', { fence: slot.fence });
  }
  return world.slots.put({ ...slot, fence: call.fence });
}

export function slotOf(world: World, agency_id: string, user_id: string): SlotRecord {
  const none = { user_id, agency_id, api: false, dashboard: false, fence: 0 };
  return world.slots.get(slotId(agency_id, user_id)) ?? none;
}

/** A creator that leaves gives up its slot. */
export function vacateSlot(world: World, agencyId: string, userId: string): void {
  world.slots.put({ ...slotOf(world, agencyId, userId), api: false, dashboard: false });
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
    billing_offered: true,
    payment_methods: [],
  };
}
