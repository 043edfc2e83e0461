import type { Instant } from '#kernel';

export interface NativeCapacity {
  readonly plan: string;
  readonly subscriptionStatus: string;
  readonly protectionEligible: boolean;
  readonly totalSlots: number;
  readonly occupiedSlots: number;
  readonly reservedSlots: number;
  readonly apiIncluded: boolean;
}

/** The agency's slots as the platform showed them at a moment. This is no reservation. */
export interface Capacity extends NativeCapacity {
  readonly availableSlots: number;
  readonly overflowSlots: number;
  readonly checkedAt: Instant;
}

/** D55: what is occupied and reserved beyond the total is the overflow. */
export const capacityAt = (native: NativeCapacity, checkedAt: Instant): Capacity => {
  const available = native.totalSlots - native.occupiedSlots - native.reservedSlots;
  return { ...native, availableSlots: Math.max(0, available), overflowSlots: Math.max(0, -available), checkedAt };
};
