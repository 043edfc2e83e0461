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

export abstract class AgencyDirectory {
  /** Undefined for an agency that the platform does not know; rejects when it cannot be reached or understood. */
  abstract getAgency(agencyId: AgencyId): Promise<NativeAgency | undefined>;
}
