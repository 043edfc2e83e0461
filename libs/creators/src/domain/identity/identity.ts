import { isDeepStrictEqual } from 'node:util';
import { type FieldError, invalidRequest, textProblem, withoutInvisibleEnds } from '#kernel';
import type { CreatorEvent, IdentityObserved } from '../creator.events.js';
import type { EnrolledCreator, Identity } from '../creator.state.js';
import { distinctProfiles, isSameAccount, type Profile } from '../profile-url.js';

/** Lengths count Unicode code points (D7). */
export const MAX_DISPLAY_NAME_LENGTH = 160;
export const MAX_ALIAS_LENGTH = 160;
export const MAX_EXTERNAL_ID_LENGTH = 200;
export const MAX_ALIASES_PER_REQUEST = 30;
export const MAX_PROFILE_URLS_PER_REQUEST = 20;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_PERSON_NAME_LENGTH = 100;
export const MAX_WORKSPACE_ID_LENGTH = 200;

/** The form in which aliases are stored and compared (D33). */
export const normalAlias = (alias: string): string => withoutInvisibleEnds(alias.normalize('NFC'));

/** D83: the limit applies to the alias both as sent and as stored, because NFC can lengthen it. */
export const aliasProblem = (alias: string): string | undefined =>
  textProblem(alias, MAX_ALIAS_LENGTH) ?? textProblem(normalAlias(alias), MAX_ALIAS_LENGTH);

/** In normal form, the first ones, without repeats and blank ones, at most `most`. */
export const distinctAliases = (aliases: Iterable<string>, most = Number.POSITIVE_INFINITY): string[] => {
  const distinct = new Set<string>();
  for (const alias of aliases) {
    if (distinct.size === most) break;
    const normal = normalAlias(alias);
    if (normal !== '') distinct.add(normal);
  }
  return [...distinct];
};

/** D96: two that look the same are the same. D25: an automatic external id belongs only to its user. */
export const externalIdProblem = (externalId: string, userId: string | undefined): string | undefined => {
  if (externalId !== withoutInvisibleEnds(externalId)) {
    return 'must not begin or end with a blank or another invisible character; remove it';
  }
  return externalId.startsWith('svc:') && (userId === undefined || externalId !== `svc:${userId}`)
    ? 'must not begin with svc: unless it is the automatic external id of svc_user_id'
    : undefined;
};

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

export interface IdentityChange {
  readonly displayName?: string;
  readonly aliases?: readonly string[];
  readonly profiles?: readonly Profile[];
}

export const NO_IDENTITY: Identity = { displayName: '', aliases: [], profiles: [] };

/** D66: limits of a creator in this API, so that its largest events fit one append. */
export const MAX_ALIASES = 300;
export const MAX_PROFILES = 60;

/** Each alias once (D33), each account once in its first spelling (D75), both in the platform's order (D66). */
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

/** The identity that a scan searches for (D34). */
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

/** The part of a change that the creator does not have yet, in any form (D33, D75). */
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
