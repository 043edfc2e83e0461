import { isDeepStrictEqual } from 'node:util';
import type { NativeCreator, Profile } from '../contract/types.js';
import { bodyOf, type Operation } from '../operation.js';
import { invalid } from '../refusal.js';
import { creatorOf } from './membership.js';
import { showCreator } from './roster.js';

type IdentityChange = Partial<Pick<NativeCreator, 'display_name' | 'aliases' | 'profiles'>>;

export const updateIdentity: Operation = (world, call) => {
  const creator = creatorOf(world, call.agencyId, call.userId);
  const change = bodyOf<IdentityChange>(call);
  refuseMalformed(change.profiles ?? []);
  const next = {
    ...creator,
    display_name: change.display_name ?? creator.display_name,
    aliases: mergeAliases(creator.aliases, change.aliases ?? []),
    profiles: mergeProfiles(creator.profiles, change.profiles ?? []),
  };
  if (isDeepStrictEqual(next, creator)) return { status: 200, body: showCreator(creator), changed: false };
  world.countEffect('identity_writes', creator.user_id);
  const written = world.creators.put({ ...next, updated_at: world.after(creator.updated_at) });
  return { status: 200, body: showCreator(written), changed: true };
};

function mergeAliases(existing: string[], added: string[]): string[] {
  return [...new Set([...existing, ...added])];
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
