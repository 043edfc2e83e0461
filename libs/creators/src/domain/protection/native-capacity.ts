/** A snapshot of the agency's slots. */
export interface NativeCapacity {
  readonly plan: string;
  readonly subscriptionStatus: string;
  readonly protectionEligible: boolean;
  readonly totalSlots: number;
  readonly occupiedSlots: number;
  readonly reservedSlots: number;
  readonly apiIncluded: boolean;
}
