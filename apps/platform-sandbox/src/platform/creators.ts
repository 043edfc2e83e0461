import { isDeepStrictEqual } from 'node:util';
import type { NativeCreator, Profile } from '../contract/types.js';
import { afterOf, bodyOf, changedTo, type Operations, ok, page } from '../operation.js';
import { invalid } from '../refusal.js';
import type { CreatorRecord } from '../state/records.js';
import { agencyOf, creatorOf, memberOf } from './membership.js';

type IdentityChange = Partial<Pick<NativeCreator, 'display_name' | 'aliases' | 'profiles'>>;

export const creatorOperations: Operations = {
  listRoster(world, call) {
    const { id } = agencyOf(world, call.agencyId);
    const members = world.creators.ascending(id, afterOf(call)?.toLowerCase());
    return page(listed(members), call, (creator) => creator.user_id);
  },

  getNativeCreator: (world, call) => ok(memberOf(world, call)),

  updateIdentity(world, call) {
    const creator = creatorOf(world, call);
    const { display_name = creator.display_name, aliases = [], profiles = [] } = bodyOf<IdentityChange>(call);
    refuseMalformed(profiles);
    const next = {
      ...creator,
      display_name,
      aliases: [...new Set([...creator.aliases, ...aliases])],
      profiles: mergeProfiles(creator.profiles, profiles),
    };
    if (isDeepStrictEqual(next, creator)) return changedTo(creator, false);
    world.countEffect('identity_writes', creator.user_id);
    return changedTo(world.creators.put({ ...next, updated_at: world.after(creator.updated_at) }), true);
  },
};

function* listed(members: Iterable<CreatorRecord>): Generator<CreatorRecord> {
  for (const member of members) if (!member.is_staff && member.onboarding_complete) yield member;
}

/** The existing spelling stays, a missing profile_id is filled in. */
function mergeProfiles(existing: Profile[], added: Profile[]): Profile[] {
  const merged = new Map(existing.map((profile) => [identityOf(profile), profile]));
  for (const profile of added) {
    const known = merged.get(identityOf(profile));
    const profile_id = known?.profile_id ?? profile.profile_id ?? null;
    merged.set(identityOf(profile), { ...(known ?? profile), profile_id });
  }
  return [...merged.values()];
}

/** By platform and username without case; on manyvids by the id, and one without an id is no match for one with an id. */
function identityOf({ platform, username, profile_id }: Profile): string {
  const id = platform === 'manyvids' ? (profile_id ?? null) : null;
  return JSON.stringify(id === null ? [platform, username.toLowerCase()] : [platform, null, id]);
}

/** The contract's description, not its schema, says that a platform's name is lower-case. */
function refuseMalformed(profiles: Profile[]): void {
  for (const { platform, username } of profiles) {
    if (!/^\S+$/.test(platform) || platform !== platform.toLowerCase()) throw invalid(`body: platform ${platform}`);
    if (!/^\S+$/.test(username)) throw invalid('body: username is blank');
  }
}
