import {
  type Authorization,
  aliasProblem,
  distinctAliases,
  distinctProfiles,
  type Entitlement,
  type Identity,
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
  type Fields,
  fieldsOf,
  flag,
  integer,
  isRecord,
  isUsableText,
  list,
  MAX_ID_LENGTH,
  MAX_NAME_LENGTH,
  MAX_URL_LENGTH,
  oneOf,
  optional,
  orNull,
  same,
  text,
  textOrNull,
  textUpTo,
  userId,
} from '../fields.js';
import { nextUserOf, recordsOf, requireAscending } from './page.js';

function* usableAliases(values: readonly unknown[]): Generator<string> {
  for (const value of values) {
    if (typeof value === 'string' && aliasProblem(value) === undefined) yield value;
  }
}

/** The first ones that can be used, in their one form (D33); a bad one is left out singly (D65), later ones too (D66). */
const aliases = (fields: Fields): string[] => distinctAliases(usableAliases(list(fields, 'aliases')), MAX_ALIASES);

/** It throws nothing: an answer has room for millions of bad ones, and their errors would take seconds. */
const parseProfile = (value: unknown): Profile | undefined => {
  if (!isRecord(value)) return undefined;
  const { platform, username, profile_id: id = null } = value;
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
  // Cheaper than to make a URL of each of very many short ones that are bad.
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

const profiles = (fields: Fields): Profile[] =>
  distinctProfiles(usableProfiles(list(fields, 'profiles')), MAX_PROFILES);

/** D65: in place of a bad name the first username, or the user's id. */
const identityOf = (fields: Fields, id: UserId): Identity => {
  const known = { aliases: aliases(fields), profiles: profiles(fields) };
  const names = [text(fields, 'display_name'), known.profiles[0]?.username ?? '', id];
  return { displayName: names.find((name) => isUsableText(name, MAX_DISPLAY_NAME_LENGTH)) ?? id, ...known };
};

const reference = textOrNull(textUpTo(MAX_ID_LENGTH));
const rosterUser = (fields: Fields) => userId(fields, 'user_id');
const authorizationStatus = optional(oneOf(['approved', 'pending', 'rejected', 'expired', 'missing']));
const expiresAt = optional(orNull(dateTime));
const entitlementSource = optional(oneOf(['agency_plan', 'creator_subscription', 'none']));

const parseAuthorization = (value: unknown): Authorization => {
  const fields = fieldsOf(value);
  return {
    approved: flag(fields, 'approved'),
    status: authorizationStatus(fields, 'status'),
    expiresAt: expiresAt(fields, 'expires_at'),
  };
};

const parseEntitlement = (value: unknown): Entitlement => {
  const fields = fieldsOf(value);
  return { active: flag(fields, 'active'), source: entitlementSource(fields, 'source') };
};

const parseAnyCreator = (value: unknown): NativeCreator => {
  const fields = fieldsOf(value);
  // Nothing uses it, but a record without it does not follow the contract.
  integer(fields, 'updated_at');
  const id = userId(fields, 'user_id');
  return {
    userId: id,
    invitationReference: reference(fields, 'invitation_reference'),
    identity: identityOf(fields, id),
    isStaff: flag(fields, 'is_staff'),
    onboardingComplete: flag(fields, 'onboarding_complete'),
    authorization: parseAuthorization(fields.authorization),
    entitlement: parseEntitlement(fields.entitlement),
  };
};

export const parseCreator =
  (asked: UserId) =>
  (body: unknown): NativeCreator => {
    const creator = parseAnyCreator(body);
    same('user_id', creator.userId, asked);
    return creator;
  };

export const parseRosterPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): RosterPage => {
    const fields = fieldsOf(body);
    const { records, refused, ids } = recordsOf(fields, limit, rosterUser, parseAnyCreator);
    requireAscending(ids, after);
    return { creators: records, refused, nextCursor: nextUserOf(fields, ids, after) };
  };
