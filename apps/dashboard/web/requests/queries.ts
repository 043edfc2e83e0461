import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { CallsAnswer, RequestsAnswer } from '../api/types.gen.js';
import type { Filters } from './filters.js';

const PAGE_SIZE = '50';

export const requestsQuery = (search: Filters & { readonly after?: string | undefined }) =>
  queryOptions({
    queryKey: ['requests', search],
    queryFn: ({ signal }) => call<RequestsAnswer>('/api/requests', { query: { ...search, limit: PAGE_SIZE }, signal }),
  });

export const callsQuery = (by: CallsAnswer['by'], key: string | undefined) =>
  queryOptions({
    queryKey: ['requests', 'calls', by, key],
    queryFn: ({ signal }) => call<CallsAnswer>('/api/requests/calls', { query: { by, key }, signal }),
  });

export const STEP_NAMES = { hour: '30 days by hour', minute: '24 hours by minute' } as const;
export const STEP_MS = { hour: 3_600_000, minute: 60_000 } as const;
export const STEPS_SHOWN = { hour: 720, minute: 1_440 } as const;
