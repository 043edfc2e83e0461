import type {
  CreatedKeyAnswer,
  KeyAnswer,
  KeySettings,
  ListedKeyAnswer,
  RouteCallsAnswer,
} from '../../answers/keys.js';
import type { PageOf } from '../../answers/parts.js';
import { call, post } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import { columnsOf, figure } from '../components/data-table.js';
import type { Filters } from '../components/filters.js';
import { DAY_MS, number } from '../components/formats.js';

export const keysQuery = (search: Filters<'status' | 'sort' | 'after'>) =>
  serverQuery<PageOf<ListedKeyAnswer>>('keys', '/api/keys', { ...search });

export const keyQuery = (id: string) => serverQuery<KeyAnswer>('keys', `/api/keys/${encodeURIComponent(id)}`);

export const createKey = (body: KeySettings) => post<CreatedKeyAnswer>('/api/keys', body);

export const revokeKey = (id: string) => call(`/api/keys/${id}`, { method: 'DELETE' });

const lifetimeOf = ({ created_at: from, expires_at: to }: ListedKeyAnswer): KeySettings['lifetime'] => {
  if (to === null) return 'none';
  return to - from > 60 * DAY_MS ? '90d' : '30d';
};

export const settingsOf = (key: ListedKeyAnswer): KeySettings => ({
  name: key.name ?? key.id,
  preset: key.preset,
  lifetime: lifetimeOf(key),
});

/** Two keys may have one name: the end of the secret distinguishes them. */
export const keyName = ({ id, name, last_four: end }: ListedKeyAnswer): string =>
  end === null ? (name ?? id) : `${name ?? id} (…${end})`;

export const PRESET_NAMES = { read_only: 'Read only', read_write: 'Read and write' } as const;
export const LIFETIME_NAMES = { '30d': '30 days', '90d': '90 days', none: 'No expiry' } as const;

export const ROUTE_COLUMNS = columnsOf<RouteCallsAnswer>({
  Route: (row) => row.route,
  Calls: figure((row) => number(row.calls), 6),
});
