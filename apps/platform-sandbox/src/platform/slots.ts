import type { Slot } from '../contract/types.js';
import { type Call, type Operation, ok } from '../operation.js';
import { conflict, Refusal } from '../refusal.js';
import type { SlotRecord } from '../state/records.js';
import { fenceId, type World } from '../state/world.js';
import { agencyOf, creatorOf } from './membership.js';
import { afterOf, page } from './page.js';

interface SlotCount {
  total: number;
  occupied: number;
  reserved: number;
}

export function countSlots(world: World, agencyId: string): SlotCount {
  const agency = agencyOf(world, agencyId);
  let reserved = world.invitations.count(agencyId);
  for (const pending of world.invitations.ascending(agencyId)) {
    if (pending.expires_at > world.now()) break;
    reserved -= 1;
  }
  return { total: agency.total_slots, occupied: agency.dashboard_slots + world.slots.count(agencyId), reserved };
}

export function requireFreeSlot(world: World, agencyId: string): void {
  const { total, occupied, reserved } = countSlots(world, agencyId);
  if (occupied + reserved >= total) throw conflict('capacity_reached', 'The agency has no free slot.');
}

/** A creator has one slot: where the dashboard holds it already, this hold takes no second one. */
export const occupySlot: Operation = (world, call) => {
  const { agencyId, userId } = call;
  creatorOf(world, agencyId, userId);
  raiseFence(world, call);
  const slot = world.slots.get(userId);
  if (slot?.api) return { status: 200, changed: false };
  if (!slot) requireFreeSlot(world, agencyId);
  world.slots.put({ user_id: userId, agency_id: agencyId, dashboard: slot?.dashboard ?? false, api: true });
  world.countEffect('slots', userId);
  return { status: 200, changed: true };
};

export const releaseSlot: Operation = (world, call) => {
  const { agencyId, userId } = call;
  creatorOf(world, agencyId, userId);
  raiseFence(world, call);
  const slot = world.slots.get(userId);
  if (!slot?.api) return { status: 204, changed: false };
  holdSlot(world, { ...slot, api: false });
  world.countEffect('slots', userId);
  return { status: 204, changed: true };
};

export const listSlots: Operation = (world, call) => {
  agencyOf(world, call.agencyId);
  const held = heldByApi(world.slots.ascending(call.agencyId, afterOf(call)?.toLowerCase()));
  const shown = ({ user_id }: SlotRecord): Slot => ({ user_id, fence: fenceOf(world, call.agencyId, user_id) });
  return ok(page(held, call, shown, (slot) => slot.user_id));
};

function* heldByApi(slots: Iterable<SlotRecord>): Generator<SlotRecord> {
  for (const slot of slots) if (slot.api) yield slot;
}

/** A lower fence than the highest one changes nothing; also a call that is then refused raises it. */
function raiseFence(world: World, { agencyId, userId, fence }: Call): void {
  const highest = world.fences.get(fenceId(agencyId, userId))?.fence ?? 0;
  if (fence < highest) {
    throw new Refusal(409, 'stale_fence', 'A later change of this slot was seen.', { fence: highest });
  }
  if (fence > highest) world.fences.put({ user_id: userId, agency_id: agencyId, fence });
}

/** A slot that a control has given to this API has no fence yet. */
function fenceOf(world: World, agencyId: string, userId: string): number {
  return world.fences.get(fenceId(agencyId, userId))?.fence ?? 1;
}

/** Keeps the record while anyone holds the slot. */
export function holdSlot(world: World, slot: SlotRecord): void {
  if (slot.api || slot.dashboard) world.slots.put(slot);
  else world.slots.remove(slot.user_id);
}
