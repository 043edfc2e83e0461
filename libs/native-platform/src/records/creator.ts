import { z } from 'zod';
import {
  aliasProblem,
  distinctAliases,
  distinctProfiles,
  MAX_ALIASES,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_PROFILES,
  type NativeCreator,
  type Profile,
  profileUrl,
  type RosterPage,
} from '#creators';
import { isBlank, isBoundedText, type UserId } from '#kernel';
import {
  dateTime,
  flag,
  integer,
  isUsableText,
  MAX_ID_LENGTH,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  mapped,
  oneOf,
  read,
  record,
  same,
  text,
  textOrNull,
  userId,
} from '../schemas.js';
import { nextUserOf, recordsOf } from './page.js';

function* usableAliases(values: readonly unknown[]): Generator<string> {
  for (const value of values) {
    if (typeof value === 'string' && aliasProblem(value) === undefined) yield value;
  }
}

/** It throws nothing: an answer has room for millions of bad records, and their errors would take seconds. */
const parseProfile = (value: unknown): Profile | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { platform, username, profile_id: id = null } = value as Readonly<Record<string, unknown>>;
  if (typeof platform !== 'string' || !isUsableText(platform, MAX_NAME_LENGTH)) return undefined;
  if (typeof username !== 'string' || isBlank(username) || (typeof id !== 'string' && id !== null)) return undefined;
  const profile = { platform, username, profileId: id === null || isBlank(id) ? null : id };
  return hasBoundedNames(profile) || makesUrl(profile) ? profile : undefined;
};

const hasBoundedNames = ({ username, profileId }: Profile): boolean =>
  isBoundedText(username, MAX_NAME_LENGTH) && isBoundedId(profileId);

const isBoundedId = (id: string | null, maxLength = MAX_ID_LENGTH): boolean =>
  id === null || isBoundedText(id, maxLength);

/** One with longer names is bounded by its URL, as the one that an agency submits is, and by an id that the URL lacks. */
const makesUrl = (profile: Profile): boolean => {
  // Cheaper than to construct a URL from each of very many short ones that are bad.
  if (!isBoundedText(profile.username, MAX_URL_LENGTH) || !isBoundedId(profile.profileId, MAX_URL_LENGTH)) return false;
  if (profileUrl(profile) === undefined) return false;
  return isBoundedId(profile.profileId) || profileUrl({ ...profile, profileId: null }) === undefined;
};

function* usableProfiles(values: readonly unknown[]): Generator<Profile> {
  for (const value of values) {
    const profile = parseProfile(value);
    if (profile !== undefined) yield profile;
  }
}

const items = z.custom<readonly unknown[]>(Array.isArray, 'an array');

const member = record({
  user_id: userId,
  invitation_reference: textOrNull(MAX_ID_LENGTH),
  display_name: text,
  aliases: items,
  profiles: items,
  is_staff: flag,
  onboarding_complete: flag,
  authorization: z.object(
    {
      approved: flag,
      status: oneOf(['approved', 'pending', 'rejected', 'expired', 'missing']).optional(),
      expires_at: dateTime.nullish(),
    },
    'an object',
  ),
  entitlement: z.object(
    { active: flag, source: oneOf(['agency_plan', 'creator_subscription', 'none']).optional() },
    'an object',
  ),
  updated_at: integer,
});

const creator = mapped(member, (found): NativeCreator => {
  const { displayName, aliases: itsAliases, profiles: itsProfiles, authorization, entitlement, ...others } = found;
  // The first ones that can be used, in their one form (D33); a bad one is left out singly (D65), later ones too (D66).
  const aliases = distinctAliases(usableAliases(itsAliases), MAX_ALIASES);
  const profiles = distinctProfiles(usableProfiles(itsProfiles), MAX_PROFILES);
  // D65: instead of a bad name, the first username or the user's id.
  const names = [displayName, profiles[0]?.username ?? '', others.userId];
  const usable = names.find((name) => isUsableText(name, MAX_DISPLAY_NAME_LENGTH)) ?? others.userId;
  const { approved, status = null, expires_at: expiresAt = null } = authorization;
  const { active, source = null } = entitlement;
  return {
    userId: others.userId,
    invitationReference: others.invitationReference,
    identity: { displayName: usable, aliases, profiles },
    isStaff: others.isStaff,
    onboardingComplete: others.onboardingComplete,
    authorization: { approved, status, expiresAt },
    entitlement: { active, source },
  };
});

export const parseCreator =
  (asked: UserId) =>
  (body: unknown): NativeCreator => {
    const found = read(creator, body);
    same('user_id', found.userId, asked);
    return found;
  };

export const parseRosterPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): RosterPage => {
    const { records, refused, ids } = recordsOf(body, limit, { record: creator, idName: 'user_id', id: userId });
    return { creators: records, refused, nextCursor: nextUserOf(body, ids, after) };
  };
