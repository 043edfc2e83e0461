import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type {
  UsageIntervalsAnswer,
  UsageMonthAnswer,
  UsageOfCreatorsAnswer,
  UsageStatementAnswer,
  UsageStatementsAnswer,
} from '../api/types.gen.js';

const PAGE_SIZE = '50';
const PROGRESS_INTERVAL_MS = 1_000;

export const usageQuery = (month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'month', month],
    queryFn: ({ signal }) => call<UsageMonthAnswer>('/api/usage', { query: { month }, signal }),
  });

export const usageOfCreatorsQuery = (month: string | undefined, after: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'creators', month, after],
    queryFn: ({ signal }) =>
      call<UsageOfCreatorsAnswer>('/api/usage/creators', { query: { month, after, limit: PAGE_SIZE }, signal }),
  });

export const intervalsQuery = (id: string, month: string | undefined) =>
  queryOptions({
    queryKey: ['usage', 'intervals', id, month],
    queryFn: ({ signal }) =>
      call<UsageIntervalsAnswer>(`/api/usage/creators/${encodeURIComponent(id)}`, {
        query: { month },
        signal,
      }),
  });

export const statementsQuery = queryOptions({
  queryKey: ['usage', 'statements'],
  queryFn: ({ signal }) => call<UsageStatementsAnswer>('/api/usage/statements', { signal }),
  refetchInterval: ({ state }) =>
    state.data?.data.some((statement) => statement.state === 'pending') ? PROGRESS_INTERVAL_MS : false,
});

export const requestStatement = (month: string): Promise<UsageStatementAnswer> =>
  call('/api/usage/statements', { method: 'POST', body: { month } });
