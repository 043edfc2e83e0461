import type { publicCapacity } from '#creators';
import type { OperationOptions } from '../transport/operation.js';

const CAPACITY: ReturnType<typeof publicCapacity> = {
  plan: 'agency_50',
  subscription_status: 'active',
  protection_eligible: true,
  total_slots: 50,
  occupied_slots: 12,
  reserved_slots: 2,
  available_slots: 36,
  overflow_slots: 0,
  api_included: true,
  checked_at: '2026-11-25T09:00:00.000Z',
  simulated: false,
};

export const GET_CAPACITY: OperationOptions = {
  tag: 'Usage',
  summary: "A snapshot of the agency's slots; no reservation.",
  description:
    'The slots are shared with the agency dashboard. Whether one is free is decided when protection is activated.',
  apiVersion: '0.8.0',
  scopes: ['usage:read'],
  answers: { 200: { description: 'The slots.', schema: 'Capacity', example: CAPACITY } },
};
