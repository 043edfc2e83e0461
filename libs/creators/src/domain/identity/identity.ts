import { type FieldError, invalidRequest } from '#kernel';
import type { EnrolledCreator, Identity } from '../creator.state.js';
import { distinctAliases } from '../names.js';
import { distinctProfiles, isSameAccount, type Profile } from '../profile-url.js';

export interface IdentityChange {
  readonly displayName?: string;
  readonly aliases?: readonly string[];
  readonly profiles?: readonly Profile[];
}

export const NO_IDENTITY: Identity = { displayName: '', aliases: [], profiles: [] };

/** D66: what a creator has in this API, so that its largest events fit one append. */
export const MAX_ALIASES = 300;
export const MAX_PROFILES = 60;

/** Each alias once (D33), each account once in its first spelling (D75), the first ones in the platform's order (D66). */
export const keptIdentity = ({ displayName, aliases, profiles }: Identity): Identity => ({
  displayName,
  aliases: distinctAliases(aliases, MAX_ALIASES),
  profiles: distinctProfiles(profiles, MAX_PROFILES),
});

/** The identity after a change: aliases are merged in their one form (D33), profiles without case (D32). */
export const mergedIdentity = (identity: Identity, change: IdentityChange): Identity => ({
  displayName: change.displayName ?? identity.displayName,
  aliases: distinctAliases([...identity.aliases, ...(change.aliases ?? [])]),
  profiles: distinctProfiles([...identity.profiles, ...(change.profiles ?? [])]),
});

/** With what was submitted and is not written yet, at the end. */
export const identityToBe = ({ identity, identityToWrite }: Submitting): Identity =>
  identityToWrite === null ? identity : mergedIdentity(identity, identityToWrite);

/** What a scan searches for (D34). */
export const searchedIdentity = (creator: Submitting): Identity => keptIdentity(identityToBe(creator));

/** D30: from acceptance until onboarding is complete and the submitted identity has been written. */
export const isIdentitySyncPending = ({ enrollment, identityToWrite }: EnrolledCreator): boolean =>
  enrollment.status === 'pending_onboarding' ||
  (enrollment.status === 'linked' && enrollment.via === 'invitation' && identityToWrite !== null);

/** Before onboarding, what was submitted; then merged into what the platform has, until it is written there (D30). */
export const shownIdentity = (creator: EnrolledCreator): Identity => {
  const { standing, identity, identityToWrite } = creator;
  if (standing === null) return identityToWrite ?? identity;
  return isIdentitySyncPending(creator) ? keptIdentity(identityToBe(creator)) : identity;
};

type Submitting = Pick<EnrolledCreator, 'identity' | 'identityToWrite'>;

/** What of a change the creator does not have yet, in any form (D33, D75). */
export const newIn = (identity: Identity, { displayName, aliases, profiles }: IdentityChange): IdentityChange => {
  const known = distinctAliases(identity.aliases);
  const isNewProfile = (profile: Profile) => !identity.profiles.some((one) => isSameAccount(one, profile));
  return {
    ...(displayName !== undefined && displayName !== identity.displayName && { displayName }),
    ...(aliases && { aliases: distinctAliases(aliases).filter((alias) => !known.includes(alias)) }),
    ...(profiles && { profiles: profiles.filter(isNewProfile) }),
  };
};

/**
 * Throws `invalid_request` for a change that adds something new and would leave more than the limits (D66). One that adds
 * nothing new passes, even if the creator has more.
 */
export const requireFit = (identity: Identity, change: IdentityChange): void => {
  const { aliases, profiles } = mergedIdentity(identity, change);
  const addsAlias = aliases.length > distinctAliases(identity.aliases).length;
  const problems: FieldError[] = [];
  if (addsAlias && aliases.length > MAX_ALIASES) {
    problems.push({ field: 'aliases', message: `would leave the creator with more than ${MAX_ALIASES}` });
  }
  if (profiles.length > Math.max(MAX_PROFILES, distinctProfiles(identity.profiles).length)) {
    problems.push({ field: 'profile_urls', message: `would leave the creator with more than ${MAX_PROFILES}` });
  }
  if (problems.length > 0) throw invalidRequest(...problems);
};
