import { queryOptions } from '@tanstack/react-query';
import type { ListOf, PageOf } from '../../answers/parts.js';
import type { UsageMonthAnswer, UsageOfCreator, UsageOfOneCreator, UsageStatementAnswer } from '../../answers/usage.js';
import { post } from '../api/client.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';

const PROGRESS_INTERVAL_MS = 1_000;

export const usageQuery = (month: string | undefined) =>
  serverQuery<UsageMonthAnswer>('usage', '/api/usage', { month });

export const usageOfCreatorsQuery = (month: string | undefined, after: string | undefined) =>
  serverQuery<PageOf<UsageOfCreator>>('usage', '/api/usage/creators', { month, after, limit: PAGE_SIZE });

export const intervalsQuery = (id: string, month: string | undefined) =>
  serverQuery<UsageOfOneCreator>('usage', `/api/usage/creators/${encodeURIComponent(id)}`, { month });

export const statementsQuery = queryOptions({
  ...serverQuery<ListOf<UsageStatementAnswer>>('usage', '/api/usage/statements'),
  refetchInterval: ({ state }) =>
    state.data?.data.some((statement) => statement.state === 'pending') ? PROGRESS_INTERVAL_MS : false,
});

export const requestStatement = (month: string) => post<UsageStatementAnswer>('/api/usage/statements', { month });
