import type { Answer } from './answer.js';
import { ascending, opaque, pageOf, position } from './paging.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

export function listLeaks(world: World, { path, query }: Call): Answer {
  const since = query.updated_since === undefined ? Number.NEGATIVE_INFINITY : Number(query.updated_since);
  const leaks = [...world.member(path.agency_id, path.user_id).leaks.values()]
    .filter(({ updated_at }) => updated_at >= since)
    .sort((one, other) => ascending(one.leak_id, other.leak_id));
  const page = pageOf(leaks, ({ leak_id }) => leak_id, position(query.after), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && opaque(page.next_cursor) } };
}
