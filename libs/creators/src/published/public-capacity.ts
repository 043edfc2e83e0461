import type { Capacity } from '../domain/protection/capacity.js';

export const publicCapacity = (capacity: Capacity) => ({
  plan: capacity.plan,
  subscription_status: capacity.subscriptionStatus,
  protection_eligible: capacity.protectionEligible,
  total_slots: capacity.totalSlots,
  occupied_slots: capacity.occupiedSlots,
  reserved_slots: capacity.reservedSlots,
  available_slots: capacity.availableSlots,
  overflow_slots: capacity.overflowSlots,
  api_included: capacity.apiIncluded,
  checked_at: new Date(capacity.checkedAt).toISOString(),
  simulated: false,
});
