import type { Answer, Operation } from '../operation.js';
import { conflict } from '../refusal.js';
import type { SlotRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { agencyOf, creatorOf } from './membership.js';

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
export const occupySlot: Operation = (world, { agencyId, userId }): Answer => {
  creatorOf(world, agencyId, userId);
  const slot = world.slots.get(userId);
  if (slot?.api) return { status: 200, changed: false };
  if (!slot) requireFreeSlot(world, agencyId);
  world.slots.put({ user_id: userId, agency_id: agencyId, dashboard: slot?.dashboard ?? false, api: true });
  world.countEffect('slots', userId);
  return { status: 200, changed: true };
};

export const releaseSlot: Operation = (world, { agencyId, userId }): Answer => {
  creatorOf(world, agencyId, userId);
  const slot = world.slots.get(userId);
  if (!slot?.api) return { status: 204, changed: false };
  holdSlot(world, { ...slot, api: false });
  world.countEffect('slots', userId);
  return { status: 204, changed: true };
};

/** Keeps the record while anyone holds the slot. */
export function holdSlot(world: World, slot: SlotRecord): void {
  if (slot.api || slot.dashboard) world.slots.put(slot);
  else world.slots.remove(slot.user_id);
}
