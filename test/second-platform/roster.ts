import type { Answer } from './answer.js';
import { ascending, pageOf } from './paging.js';
import type { Creator, Profile } from './records.js';
import type { Call } from './strict-request.js';
import type { World } from './world.js';

/** The agency's creators. Its cursor says only that there is more: the next page is asked for by the last `user_id`. */
export function listRoster(world: World, { path, query }: Call): Answer {
  const listed = [...world.agency(path.agency_id).members.values()]
    .map(({ creator }) => creator)
    .filter(({ is_staff, onboarding_complete, invitation_reference }) => {
      return !is_staff && (onboarding_complete || invitation_reference === null);
    })
    .sort((one, other) => ascending(sameCase(one), sameCase(other)));
  const page = pageOf(listed, sameCase, query.after?.toLowerCase(), query.limit);
  return { status: 200, body: { ...page, next_cursor: page.next_cursor && 'there is more' } };
}

export function getNativeCreator(world: World, { path }: Call): Answer {
  return { status: 200, body: world.member(path.agency_id, path.user_id).creator };
}

/** A UUID is the same in capitals. */
const sameCase = ({ user_id }: Creator) => user_id.toLowerCase();

interface IdentityChange {
  display_name?: string;
  aliases?: string[];
  profiles?: Profile[];
}

export function updateIdentity(world: World, { path, body }: Call): Answer {
  const { creator } = world.member(path.agency_id, path.user_id);
  const { display_name, aliases = [], profiles = [] } = body as IdentityChange;
  const before = JSON.stringify(creator);
  if (display_name !== undefined) creator.display_name = display_name;
  creator.aliases = [...new Set([...creator.aliases, ...aliases])];
  for (const profile of profiles) merge(creator.profiles, profile);
  if (JSON.stringify(creator) !== before) creator.updated_at = world.changedAfter(creator.updated_at);
  return { status: 200, body: creator };
}

function merge(existing: Profile[], { platform, username, profile_id }: Profile): void {
  const byName = (one: Profile) => one.username.toLowerCase() === username.toLowerCase();
  const same = existing.find((one) => {
    if (one.platform !== platform) return false;
    if (platform !== 'manyvids' || !(one.profile_id || profile_id)) return byName(one);
    return one.profile_id === profile_id;
  });
  if (!same) existing.push({ platform, username, ...(profile_id && { profile_id }) });
  else if (profile_id) same.profile_id = profile_id;
}
