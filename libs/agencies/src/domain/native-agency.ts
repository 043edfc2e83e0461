import type { AgencyId, UserId } from '#kernel';

/** An agency as the native platform knows it. */
export interface NativeAgency {
  readonly id: AgencyId;
  readonly name: string;
  readonly onboardingComplete: boolean;
  readonly kycApproved: boolean;
  /** The current verified owner. */
  readonly ownerUserId: UserId;
}
