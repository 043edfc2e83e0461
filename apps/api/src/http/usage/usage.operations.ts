import type { publicCapacity } from '#creators';
import type { PublicUsage } from '#usage';
import type { OperationOptions } from '../transport/operation.js';

const USAGE: PublicUsage = {
  month: '2026-11',
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  measured_through: '2026-11-25T09:00:00.000Z',
  active_creator_count: 1,
  creator_seconds: 1_296_000,
  creator_months: 0.5,
  estimated_subtotal_cents: 1_450,
  minimum_monthly_cents: 0,
  estimated_total_cents: 1_450,
  currency: 'EUR',
  estimate: true,
  simulated: false,
  scope: 'agency',
  billing_basis: 'active_api_scan_schedule',
};

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

export const GET_USAGE: OperationOptions = {
  tag: 'Usage',
  summary: 'Active time of a UTC month, and its estimated price.',
  description:
    'Time counts while protection is active. The estimate is no invoice; aliases and numbers of requests do not change it.',
  apiVersion: '0.2.0',
  scopes: ['usage:read'],
  answers: { 200: { description: 'The usage of the month.', schema: 'Usage', example: USAGE } },
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
