import { type Answer, CANARY, Refusal } from './answer.js';
import { ascending, opaque, pageOf, position } from './paging.js';
import type { Impersonation } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

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
