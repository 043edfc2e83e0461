import { objectOf } from '../contract/schemas.js';
import { newAgency } from '../platform/agencies.js';
import { countSlots } from '../platform/slots.js';
import type { AgencyRecord } from '../state/records.js';
import { COUNT, control, FLAG, oneOf, TEXT, UUID } from './control.js';

const AGENCY = objectOf({
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
  /** As the contract has them, or not: a test may give what the service has to leave out. */
  payment_methods: { type: 'array', items: { type: 'object' } },
});

export const agencyControls = [
  control<Partial<AgencyRecord>>('PUT', '/agencies/:id', AGENCY, ({ world }, { id, body }) => {
    const agency = world.agencies.put({ ...(world.agencies.get(id) ?? newAgency(id)), ...body, id });
    const { occupied, reserved } = countSlots(world, id);
    return { ...agency, occupied_slots: occupied, reserved_slots: reserved };
  }),
];
