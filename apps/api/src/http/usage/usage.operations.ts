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

export const GET_USAGE: OperationOptions = {
  tag: 'Usage',
  summary: 'Active time of a UTC month, and its estimated price.',
  description:
    'Time counts while protection is active. The estimate is no invoice; aliases and numbers of requests do not change it.',
  apiVersion: '0.2.0',
  scopes: ['usage:read'],
  answers: { 200: { description: 'The usage of the month.', schema: 'Usage', example: USAGE } },
};
