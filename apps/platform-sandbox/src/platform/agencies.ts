import type { Agency, Capacity } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import { agencyOf } from './membership.js';
import { countSlots } from './slots.js';

export const getAgency: Operation = (world, { agencyId }) => {
  const { id, name, onboarding_complete, kyc_status, owner_user_id } = agencyOf(world, agencyId);
  return ok({ id, name, onboarding_complete, kyc_status, owner_user_id } satisfies Agency);
};

export const getCapacity: Operation = (world, { agencyId }) => {
  const { plan, subscription_status, protection_eligible, api_included } = agencyOf(world, agencyId);
  const { total, occupied, reserved } = countSlots(world, agencyId);
  return ok({
    plan,
    subscription_status,
    protection_eligible,
    total_slots: total,
    occupied_slots: occupied,
    reserved_slots: reserved,
    api_included,
  } satisfies Capacity);
};
