import type { AgencyId, UserId } from '#kernel';

export const KYC_STATUSES = ['approved', 'pending', 'rejected'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export interface NativeAgency {
  readonly id: AgencyId;
  readonly name: string;
  readonly onboardingComplete: boolean;
  readonly kycStatus: KycStatus;
  readonly ownerUserId: UserId;
}
