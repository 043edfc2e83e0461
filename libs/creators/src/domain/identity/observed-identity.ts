import { isDeepStrictEqual } from 'node:util';
import type { CreatorEvent, IdentityObserved } from '../creator.events.js';
import type { Identity } from '../creator.state.js';

export const observeIdentity = (before: Identity, after: Identity): CreatorEvent => {
  const keptAliases = commonLength(before.aliases, after.aliases);
  const keptProfiles = commonLength(before.profiles, after.profiles);
  const personal = {
    displayName: before.displayName === after.displayName ? null : after.displayName,
    aliases: after.aliases.slice(keptAliases),
    profiles: after.profiles.slice(keptProfiles),
  };
  return { type: 'creator.identityObserved.v2', data: { keptAliases, keptProfiles, personal } };
};

export const changedIdentity = (
  { displayName, aliases, profiles }: Identity,
  { keptAliases, keptProfiles, personal }: IdentityObserved,
): Identity => ({
  displayName: personal.displayName ?? displayName,
  aliases: [...aliases.slice(0, keptAliases), ...personal.aliases],
  profiles: [...profiles.slice(0, keptProfiles), ...personal.profiles],
});

const commonLength = (before: readonly unknown[], after: readonly unknown[]): number => {
  const differing = before.findIndex((item, at) => !isDeepStrictEqual(item, after[at]));
  return differing < 0 ? before.length : differing;
};
