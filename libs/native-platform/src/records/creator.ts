import {
  type Authorization,
  type Entitlement,
  MAX_ALIAS_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  type NativeCreator,
  type Profile,
  profileUrl,
  type RosterPage,
} from '#creators';
import { isBoundedText, type UserId } from '#kernel';
import {
  dateTime,
  type Fields,
  fieldsOf,
  flag,
  integer,
  label,
  listOf,
  MAX_ID_LENGTH,
  Mismatch,
  oneOf,
  optional,
  orNull,
  same,
  text,
  textUpTo,
  userId,
} from '../fields.js';
import { recordsOf } from './page.js';

/** A list of the platform's record: a bad item is left out alone (D65). */
const eachUsable =
  <Item>(parse: (value: unknown) => Item | undefined) =>
  (fields: Fields, name: string): Item[] =>
    listOf(parse)(fields, name).filter((item) => item !== undefined);

const parseAlias = (value: unknown): string | undefined =>
  typeof value === 'string' && isBoundedText(value, MAX_ALIAS_LENGTH) ? value : undefined;

/** A username that is part of a URL has the bound of that URL; any other has that of a name. */
const parseProfile = (value: unknown): Profile | undefined => {
  try {
    const fields = fieldsOf(value);
    const profile = {
      platform: label(fields, 'platform'),
      username: text(fields, 'username'),
      profileId: profileId(fields, 'profile_id'),
    };
    if (makesUrl(profile)) return profile;
    return { ...profile, username: label(fields, 'username'), profileId: shortProfileId(fields, 'profile_id') };
  } catch (error) {
    if (error instanceof Mismatch) return undefined;
    throw error;
  }
};

/** An id that is not part of the URL is bounded like any other. */
const makesUrl = (profile: Profile): boolean => {
  const url = profileUrl(profile);
  if (url === undefined) return false;
  const { profileId: id } = profile;
  return id === null || isBoundedText(id, MAX_ID_LENGTH) || profileUrl({ ...profile, profileId: null }) === undefined;
};

const aliases = eachUsable(parseAlias);
const profiles = eachUsable(parseProfile);
const profileId = optional(orNull(text));
const shortProfileId = optional(orNull(textUpTo(MAX_ID_LENGTH)));
const reference = orNull(textUpTo(MAX_ID_LENGTH));
const displayName = textUpTo(MAX_DISPLAY_NAME_LENGTH);
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
  return {
    userId: userId(fields, 'user_id'),
    invitationReference: reference(fields, 'invitation_reference'),
    identity: {
      displayName: displayName(fields, 'display_name'),
      aliases: aliases(fields, 'aliases'),
      profiles: profiles(fields, 'profiles'),
    },
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

const cursor = orNull(text);

/**
 * The contract asks for the next page by the last `user_id`; the cursor only says that there is one, in any text. A
 * page that is not in order, or does not advance, would make a walk skip creators or never end.
 */
export const parseRosterPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): RosterPage => {
    const fields = fieldsOf(body);
    const { records, refused, ids } = recordsOf(fields, limit, rosterUser, parseAnyCreator);
    let last: string = after ?? '';
    for (const id of ids) {
      if (id <= last) throw new Mismatch('data is not ordered by user_id');
      last = id;
    }
    if (cursor(fields, 'next_cursor') === null) return { creators: records, refused, nextCursor: null };
    return { creators: records, refused, nextCursor: ids.at(-1) ?? beyond(fields, last) };
  };

/** A page without a usable `user_id` advances only if its cursor is one. */
const beyond = (fields: Fields, after: string): UserId => {
  const next = userId(fields, 'next_cursor');
  if (next <= after) throw new Mismatch('next_cursor does not lead on');
  return next;
};
