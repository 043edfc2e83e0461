import type { CallsAnswer, RequestsAnswer } from '../../src/requests/answers.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from './filters.js';

export const requestsQuery = (search: Filters & { readonly after?: string | undefined }) =>
  serverQuery<RequestsAnswer>('requests', '/api/requests', { ...search, limit: PAGE_SIZE });

export const callsQuery = (by: CallsAnswer['by'], key: string | undefined) =>
  serverQuery<CallsAnswer>('requests', '/api/requests/calls', { by, key });

export const STEP_NAMES = { hour: '30 days by hour', minute: '24 hours by minute' } as const;
export const STEP_MS = { hour: 3_600_000, minute: 60_000 } as const;
export const STEPS_SHOWN = { hour: 720, minute: 1_440 } as const;
