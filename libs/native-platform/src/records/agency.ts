import type { NativeAgency } from '#agencies';
import type { NativeCapacity } from '#creators';
import type { AgencyId } from '#kernel';
import { count, fieldsOf, flag, oneOf, same, text, userId } from '../fields.js';

const kycStatus = oneOf(['approved', 'pending', 'rejected']);

export const parseAgency =
  (asked: AgencyId) =>
  (body: unknown): NativeAgency => {
    const fields = fieldsOf(body);
    same('id', text(fields, 'id'), asked);
    return {
      id: asked,
      name: text(fields, 'name'),
      onboardingComplete: flag(fields, 'onboarding_complete'),
      kycApproved: kycStatus(fields, 'kyc_status') === 'approved',
      ownerUserId: userId(fields, 'owner_user_id'),
    };
  };

export const parseCapacity = (body: unknown): NativeCapacity => {
  const fields = fieldsOf(body);
  return {
    plan: text(fields, 'plan'),
    subscriptionStatus: text(fields, 'subscription_status'),
    protectionEligible: flag(fields, 'protection_eligible'),
    totalSlots: count(fields, 'total_slots'),
    occupiedSlots: count(fields, 'occupied_slots'),
    reservedSlots: count(fields, 'reserved_slots'),
    apiIncluded: flag(fields, 'api_included'),
  };
};
