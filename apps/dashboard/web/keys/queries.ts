import type { CreatedKeyAnswer, KeySettings, ListedKeyAnswer, RouteCallsAnswer } from '../../answers/keys.js';
import type { ListOf, PageOf } from '../../answers/parts.js';
import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import { DAY_MS } from '../components/formats.js';

export const keysQuery = (search: { readonly after?: string | undefined; readonly key?: string | undefined }) =>
  serverQuery<PageOf<ListedKeyAnswer>>('keys', '/api/keys', search);

export const keyCallsQuery = (id: string) => serverQuery<ListOf<RouteCallsAnswer>>('keys', `/api/keys/${id}/calls`);

export const createKey = (body: KeySettings): Promise<CreatedKeyAnswer> => call('/api/keys', { method: 'POST', body });

export const revokeKey = (id: string): Promise<unknown> => call(`/api/keys/${id}`, { method: 'DELETE' });

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
export const STATUS_NAMES = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  earlier_binding: 'Earlier binding',
} as const;
