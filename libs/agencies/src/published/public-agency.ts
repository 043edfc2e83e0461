import type { Binding, NativeAgency, PaymentMethods } from '../domain/agency.js';

/** The platform's record of the agency; null if there is none. */
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

export const publicPaymentMethods = ({ isOffered, methods }: PaymentMethods) => ({
  offered: isOffered,
  payment_methods: methods.map(({ isDefault, ...method }) => ({ ...method, is_default: isDefault })),
});
