import { KYC_STATUSES, type NativeAgency } from '#agencies';
import type { NativeCapacity } from '#creators';
import type { AgencyId } from '#kernel';
import { count, fieldsOf, flag, identifier, label, oneOf, same, userId } from '../fields.js';

const kycStatus = oneOf(KYC_STATUSES);

export const parseAgency =
  (asked: AgencyId) =>
  (body: unknown): NativeAgency => {
    const fields = fieldsOf(body);
    same('id', identifier(fields, 'id'), asked);
    return {
      id: asked,
      name: label(fields, 'name'),
      onboardingComplete: flag(fields, 'onboarding_complete'),
      kycStatus: kycStatus(fields, 'kyc_status'),
      ownerUserId: userId(fields, 'owner_user_id'),
    };
  };

export const parseCapacity = (body: unknown): NativeCapacity => {
  const fields = fieldsOf(body);
  return {
    plan: label(fields, 'plan'),
    subscriptionStatus: label(fields, 'subscription_status'),
    protectionEligible: flag(fields, 'protection_eligible'),
    totalSlots: count(fields, 'total_slots'),
    occupiedSlots: count(fields, 'occupied_slots'),
    reservedSlots: count(fields, 'reserved_slots'),
    apiIncluded: flag(fields, 'api_included'),
  };
};
