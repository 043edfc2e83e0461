import { randomUUID } from 'node:crypto';
import type { Agency, Capacity } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import type { AgencyRecord } from '../state/records.js';
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

export function newAgency(id: string): AgencyRecord {
  return {
    id,
    name: `Agency ${id}`,
    onboarding_complete: true,
    kyc_status: 'approved',
    owner_user_id: randomUUID(),
    plan: 'agency_pro',
    subscription_status: 'active',
    protection_eligible: true,
    total_slots: 10,
    api_included: true,
    dashboard_slots: 0,
  };
}
