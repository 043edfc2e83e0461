import type { Activity, Impersonation } from '../../apps/platform-sandbox/src/contract/types.js';
import { type Answer, CANARY, Refusal } from './answer.js';
import { Breach, type Call } from './strict-request.js';
import type { World } from './world.js';

export function listLeaks(world: World, { path, query }: Call): Answer {
  const since = query.updated_since === undefined ? Number.NEGATIVE_INFINITY : Number(query.updated_since);
  const leaks = [...world.member(path.agency_id, path.user_id).leaks.values()]
    .filter(({ updated_at }) => updated_at >= since)
    .sort((one, other) => ascending(one.leak_id, other.leak_id));
  const page = pageOf(leaks, ({ leak_id }) => leak_id, position(query.after), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && opaque(page.next_cursor) } };
}

const SUPPORTED = new Map([
  ['www.instagram.com', 'instagram'],
  ['instagram.com', 'instagram'],
  ['x.com', 'x'],
  ['www.tiktok.com', 'tiktok'],
]);

export function listImpersonations(world: World, { path, query }: Call): Answer {
  const all = [...world.member(path.agency_id, path.user_id).impersonations.values()].sort((one, other) =>
    ascending(one.impersonation_id, other.impersonation_id),
  );
  const page = pageOf(all, ({ impersonation_id }) => impersonation_id, position(query.after), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && opaque(page.next_cursor) } };
}

export function reportImpersonation(world: World, { path, body }: Call): Answer {
  const member = world.member(path.agency_id, path.user_id);
  const { url } = body as { url: string };
  const platform = SUPPORTED.get(new URL(url).hostname);
  if (!platform) throw new Refusal(422, 'unsupported_impersonation_url');
  const now = world.now();
  const impersonation: Impersonation = {
    impersonation_id: `fake:${world.scattered()}`,
    platform,
    url,
    username: null,
    status: 'reported',
    created_at: now,
    updated_at: now,
    private_notes: CANARY,
    recipient_contact: CANARY,
  };
  member.impersonations.set(impersonation.impersonation_id, impersonation);
  return { status: 201, body: impersonation };
}

/** Newest first; the cursor names an entry, so that what happens between two pages moves nothing. */
export function listActivity(world: World, { path, query }: Call): Answer {
  const { activity } = world.member(path.agency_id, path.user_id);
  const all = activity.toReversed().sort((one, other) => other.occurred_at - one.occurred_at);
  const last = position(query.cursor);
  const start = last === undefined ? 0 : all.findIndex(({ id }) => id === last) + 1;
  const data = all.slice(start, start + Math.min(Number(query.limit ?? 100), MAX_PAGE_SIZE));
  const more = start + data.length < all.length;
  return { status: 200, body: { data: data.map(halfSaid), next_cursor: more ? opaque(data.at(-1)?.id ?? '') : null } };
}

/** Alternates between null and absent for members that may be either. */
function halfSaid(entry: Activity, at: number): Activity {
  if (at % 2) return { ...entry, status: entry.status ?? null, url: entry.url ?? null };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) as unknown as Activity;
}

/** In records. Short pages for any limit: the contract gives the most a page may hold, and nothing it must. */
export const MAX_PAGE_SIZE = 2;

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export function pageOf<T>(all: T[], id: (entry: T) => string, after: string | undefined, limit = '100'): Page<T> {
  const start = after === undefined ? 0 : all.filter((entry) => id(entry) <= after).length;
  const data = all.slice(start, start + Math.min(Number(limit), MAX_PAGE_SIZE));
  const last = data.at(-1);
  return { data, next_cursor: last && start + data.length < all.length ? id(last) : null };
}

/** Cursors that look like nothing, with characters that a query must escape. */
export const opaque = (position: string): string => `+&=${Buffer.from(position).toString('base64')} §`;

export function position(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const inside = /^\+&=(.*) §$/.exec(cursor)?.[1];
  if (inside === undefined) throw new Breach(400, `"${cursor}" is no cursor of mine`);
  return Buffer.from(inside, 'base64').toString();
}

export const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
