import type { Binding } from '../domain/agency.js';
import type { NativeAgency } from '../domain/native-agency.js';

/** What the platform says of the agency; null where it says nothing. */
export const publicAgency = (native: NativeAgency | 'unavailable' | undefined) =>
  typeof native !== 'object'
    ? null
    : {
        id: native.id,
        name: native.name,
        onboarding_complete: native.onboardingComplete,
        kyc_status: native.kycStatus,
        owner_user_id: native.ownerUserId,
      };

export const publicBinding = ({ agencyId, workspaceId, epoch, ownerUserId }: Binding) => ({
  agency_id: agencyId,
  workspace_id: workspaceId,
  epoch,
  owner_user_id: ownerUserId,
});
