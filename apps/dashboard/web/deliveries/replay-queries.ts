import { queryOptions } from '@tanstack/react-query';
import type { DeliveryCountAnswer } from '../../src/deliveries/answers.js';
import type { ReplayAnswer, ReplaysAnswer } from '../../src/replays/answers.js';
import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import type { DeliverySearch } from './queries.js';

/** What is listed: the filters, on one of the tabs. */
export type MatchSearch = Omit<DeliverySearch, 'after'>;

const PROGRESS_INTERVAL_MS = 1_000;

export const countQuery = (search: MatchSearch) =>
  serverQuery<DeliveryCountAnswer>('deliveries', '/api/deliveries/count', search);

/** Where counts stop, as those of the server do. */
const MAX_COUNTED = 10_000;

/** The sum for several endpoints. */
export const countText = (counts: readonly DeliveryCountAnswer[]): string => {
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const isMore = sum > MAX_COUNTED || counts.some(({ is_more }) => is_more);
  return `${Math.min(sum, MAX_COUNTED).toLocaleString('en')}${isMore ? '+' : ''}`;
};

/** For a shell, which would read some characters of a filter as its own. */
const quoted = (text: string): string =>
  /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The filters as options of the operators' tool. */
export const replayWords = ({ endpoint: _, tab, ...filters }: MatchSearch): string => {
  const options = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : ` --${name} ${quoted(value)}`,
  );
  return [...options, ...(tab === 'undelivered' ? [' --undelivered'] : [])].join('');
};

/** The latest replay of each active endpoint that had one. */
export const replaysQuery = queryOptions({
  ...serverQuery<ReplaysAnswer>('deliveries', '/api/replays'),
  refetchInterval: ({ state }) =>
    state.data?.data.some(({ status }) => status === 'running') ? PROGRESS_INTERVAL_MS : false,
});

export interface ReplayRequest {
  readonly endpoints: readonly string[];
  readonly search: MatchSearch;
}

/** One replay for each endpoint. */
export const requestReplays = ({ endpoints, search }: ReplayRequest): Promise<readonly ReplayAnswer[]> =>
  Promise.all(
    endpoints.map((endpoint) => call<ReplayAnswer>('/api/replays', { method: 'POST', body: { ...search, endpoint } })),
  );

export const endReplay = (endpoint: string): Promise<ReplayAnswer> =>
  call(`/api/replays/${encodeURIComponent(endpoint)}/end`, { method: 'POST' });
