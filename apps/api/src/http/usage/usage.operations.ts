import { SECOND } from '#kernel';
import { monthOf, publicUsage } from '#usage';
import type { OperationOptions } from '../transport/operation.js';

const NOW = Date.UTC(2026, 10, 25, 9);
const USAGE = publicUsage(
  { month: monthOf(NOW), through: NOW, active: 1_296_000 * SECOND, creators: 1 },
  { perCreatorMonth: 2_900, minimumMonthly: 0, currency: 'EUR' },
  NOW,
);

export const GET_USAGE: OperationOptions = {
  tag: 'Usage',
  summary: 'Active time of a UTC month, and its estimated price.',
  description:
    'Time counts while protection is active. The estimate is no invoice; aliases and numbers of requests do not change it.',
  apiVersion: '0.2.0',
  scopes: ['usage:read'],
  answers: { 200: { description: 'The usage of the month.', schema: 'Usage', example: USAGE } },
};
