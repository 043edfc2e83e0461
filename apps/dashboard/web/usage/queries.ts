import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { Page } from '../api/types.js';

export interface UsageDay {
  readonly date: string;
  readonly active: number;
  readonly share_cents: string | null;
  readonly active_creators: number;
}

export interface UsageMonth {
  readonly month: string;
  readonly measured_through: string;
  readonly per_creator_month_cents: number | null;
  readonly totals: {
    readonly active_creator_count: number;
    readonly creator_months: number;
    readonly estimated_subtotal_cents: number | null;
    readonly minimum_monthly_cents: number | null;
    readonly estimated_total_cents: number | null;
    readonly currency: string;
  };
  readonly days: readonly UsageDay[];
  readonly as_of_event_id: string | null;
  readonly is_behind: boolean;
  readonly is_too_large: boolean;
}

export interface UsageOfCreator {
  readonly creator_id: string;
  readonly display_name: string | null;
  readonly active: number;
  readonly creator_months: number;
  readonly share_cents: string | null;
  readonly intervals: number;
}

export interface UsageSwitch {
  readonly event_id: string;
  readonly at: number;
  readonly actor: string;
  readonly request_id: string;
  readonly reason: string;
}

export interface UsageInterval {
  readonly from: number;
  readonly to: number;
  readonly active: number;
  readonly share_cents: string | null;
  readonly opened_by: UsageSwitch;
  readonly closed_by: UsageSwitch | null;
}

export interface UsageStatement {
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  readonly share: number;
  readonly size: number;
  readonly expires_at: number | null;
}

const PAGE_SIZE = '50';
const PROGRESS_INTERVAL_MS = 1_000;

export const usageQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'month', month],
    queryFn: ({ signal }) => call<UsageMonth>('/api/usage', { query: { month }, signal }),
  });

export const usageOfCreatorsQuery = (month: string | undefined, after: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'creators', month, after],
    queryFn: ({ signal }) =>
      call<Page<UsageOfCreator>>('/api/usage/creators', { query: { month, after, limit: PAGE_SIZE }, signal }),
  });

export const intervalsQuery = (id: string, month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'intervals', id, month],
    queryFn: ({ signal }) =>
      call<{ readonly data: readonly UsageInterval[] }>(`/api/usage/creators/${encodeURIComponent(id)}`, {
        query: { month },
        signal,
      }),
  });

export const statementsQuery = queryOptions({
  queryKey: ['usage', 'statements'],
  queryFn: ({ signal }) => call<{ readonly data: readonly UsageStatement[] }>('/api/usage/statements', { signal }),
  refetchInterval: ({ state }) =>
    state.data?.data.some((statement) => statement.state === 'pending') ? PROGRESS_INTERVAL_MS : false,
});

export const requestStatement = (month: string): Promise<UsageStatement> =>
  call('/api/usage/statements', { method: 'POST', body: { month } });
