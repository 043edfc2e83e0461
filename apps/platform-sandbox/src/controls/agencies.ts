import { newAgency } from '../platform/agencies.js';
import { countSlots } from '../platform/slots.js';
import type { AgencyRecord } from '../state/records.js';
import { COUNT, type Control, controlBody, FLAG, oneOf, TEXT, UUID } from './control.js';

/** As the contract has it, or not: a test may give what the service has to leave out. */
const PAYMENT_METHOD = { type: 'object' };

export const agencyControls: readonly Control[] = [
  {
    method: 'PUT',
    path: '/agencies/:id',
    members: {
      name: TEXT,
      onboarding_complete: FLAG,
      kyc_status: oneOf('approved', 'pending', 'rejected'),
      owner_user_id: UUID,
      plan: TEXT,
      subscription_status: TEXT,
      protection_eligible: FLAG,
      api_included: FLAG,
      total_slots: COUNT,
      dashboard_slots: COUNT,
      billing_offered: FLAG,
      payment_methods: { type: 'array', items: PAYMENT_METHOD },
    },
    run({ world }, call) {
      const known = world.agencies.get(call.id) ?? newAgency(call.id);
      world.agencies.put({ ...known, ...controlBody<Partial<AgencyRecord>>(call), id: call.id });
      const { occupied, reserved } = countSlots(world, call.id);
      return { ...world.agencies.get(call.id), occupied_slots: occupied, reserved_slots: reserved };
    },
  },
];
