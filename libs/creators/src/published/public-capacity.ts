import type { Instant } from '#kernel';
import type { NativeCapacity } from '../domain/native-records.js';

/** D55: slots that are occupied or reserved beyond the total are the overflow. */
export const publicCapacity = (capacity: NativeCapacity & { readonly checkedAt: Instant }) => {
  const available = capacity.totalSlots - capacity.occupiedSlots - capacity.reservedSlots;
  return {
    plan: capacity.plan,
    subscription_status: capacity.subscriptionStatus,
    protection_eligible: capacity.protectionEligible,
    total_slots: capacity.totalSlots,
    occupied_slots: capacity.occupiedSlots,
    reserved_slots: capacity.reservedSlots,
    available_slots: Math.max(0, available),
    overflow_slots: Math.max(0, -available),
    api_included: capacity.apiIncluded,
    checked_at: new Date(capacity.checkedAt).toISOString(),
    simulated: false,
  };
};
