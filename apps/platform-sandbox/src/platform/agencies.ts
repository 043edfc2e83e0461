import { randomUUID } from 'node:crypto';
import { type Operations, ok } from '../operation.js';
import type { AgencyRecord } from '../state/records.js';
import { agencyOf } from './membership.js';
import { countSlots } from './slots.js';

export const agencyOperations: Operations = {
  getAgency: (world, { agencyId }) => ok(agencyOf(world, agencyId)),
  getCapacity: (world, { agencyId }) => ok({ ...agencyOf(world, agencyId), ...countSlots(world, agencyId) }),
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
