import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import type { Filters } from './filters.js';

export interface Replay {
  readonly endpoint_id: string;
  readonly status: 'running' | 'ended';
  readonly total: number;
  readonly total_is_more: boolean;
  readonly replayed: number;
}

const PROGRESS_INTERVAL_MS = 1_000;

export const countQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['deliveries', 'count', filters],
    queryFn: ({ signal }) =>
      call<{ readonly count: number; readonly is_more: boolean }>('/api/deliveries/count', { query: filters, signal }),
  });

/** The latest replay of an endpoint; null if it never had one. */
export const replayQuery = (endpoint: string) =>
  queryOptions({
    queryKey: ['deliveries', 'replay', endpoint],
    queryFn: async ({ signal }): Promise<Replay | null> => {
      try {
        return await call<Replay>(`/api/replays/${encodeURIComponent(endpoint)}`, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? PROGRESS_INTERVAL_MS : false),
  });

export interface ReplayRequest {
  readonly endpoints: readonly string[];
  readonly filters: Filters;
}

/** One replay for each endpoint. */
export const requestReplays = ({ endpoints, filters }: ReplayRequest): Promise<readonly Replay[]> =>
  Promise.all(
    endpoints.map((endpoint) => call<Replay>('/api/replays', { method: 'POST', body: { ...filters, endpoint } })),
  );

export const endReplay = (endpoint: string): Promise<Replay> =>
  call(`/api/replays/${encodeURIComponent(endpoint)}/end`, { method: 'POST' });
