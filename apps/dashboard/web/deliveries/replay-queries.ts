import { queryOptions } from '@tanstack/react-query';
import type { DeliveryCountAnswer, ReplayAnswer } from '../../answers/deliveries.js';
import type { ListOf } from '../../answers/parts.js';
import { post } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import { counted, number } from '../components/formats.js';
import type { DeliverySearch } from './queries.js';

export type MatchSearch = Omit<DeliverySearch, 'after'>;

const PROGRESS_INTERVAL_MS = 1_000;

export const countQuery = (search: MatchSearch) =>
  serverQuery<DeliveryCountAnswer>('deliveries', '/api/deliveries/count', search);

/** The server's counts stop here too. */
const MAX_COUNTED = 10_000;

export const countText = (counts: readonly DeliveryCountAnswer[]): string => {
  const sum = counts.reduce((total, { count }) => total + count, 0);
  const isMore = sum > MAX_COUNTED || counts.some(({ is_more }) => is_more);
  return isMore ? `${number(Math.min(sum, MAX_COUNTED))}+ deliveries` : counted(sum, 'delivery', 'deliveries');
};

/** How many receivers will get an event for the second time. */
export const deliveredText = (counts: readonly DeliveryCountAnswer[]): string => {
  const delivered = counts.reduce((total, count) => total + count.delivered, 0);
  if (delivered === 0) return 'None of them was delivered before.';
  const some = counts.some(({ is_more: isMore }) => isMore) ? 'At least ' : '';
  return `${some}${number(delivered)} of them ${delivered === 1 ? 'was' : 'were'} delivered before.`;
};

/** Quotes characters that a shell would interpret. */
const quoted = (text: string): string =>
  /^[\w.:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const replayWords = ({ endpoint: _, tab, ...filters }: MatchSearch): string => {
  const options = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : ` --${name} ${quoted(value)}`,
  );
  return [...options, ...(tab === 'undelivered' ? [' --undelivered'] : [])].join('');
};

/** The latest replay of each active endpoint that had one. */
export const replaysQuery = queryOptions({
  ...serverQuery<ListOf<ReplayAnswer>>('deliveries', '/api/replays'),
  refetchInterval: ({ state }) =>
    state.data?.data.some(({ status }) => status === 'running') ? PROGRESS_INTERVAL_MS : false,
});

export const requestReplays = (endpoints: readonly string[], search: MatchSearch) =>
  Promise.all(endpoints.map((endpoint) => post<ReplayAnswer>('/api/replays', { ...search, endpoint })));

export const endReplay = (endpoint: string) => post<ReplayAnswer>(`/api/replays/${encodeURIComponent(endpoint)}/end`);
