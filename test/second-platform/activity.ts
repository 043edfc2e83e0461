import type { Answer } from './answer.js';
import { MAX_PAGE_SIZE, opaque, position } from './paging.js';
import type { Activity } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

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

/** What may be absent or null is the one here and the other there. */
function halfSaid(entry: Activity, at: number): Activity {
  if (at % 2) return { ...entry, status: entry.status ?? null, url: entry.url ?? null };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) as unknown as Activity;
}
