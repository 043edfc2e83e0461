import type { Authorization, Entitlement, NativeCreator, Profile, RosterPage } from '#creators';
import type { UserId } from '#kernel';
import {
  dateTime,
  type Fields,
  fieldsOf,
  flag,
  integer,
  listOf,
  Mismatch,
  oneOf,
  optional,
  orNull,
  same,
  text,
  userId,
} from '../fields.js';

const stringOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Mismatch('an alias is not a string');
  return value;
};

const parseProfile = (value: unknown): Profile => {
  const fields = fieldsOf(value);
  return {
    platform: text(fields, 'platform'),
    username: text(fields, 'username'),
    profileId: profileId(fields, 'profile_id'),
  };
};

const aliases = listOf(stringOf);
const profiles = listOf(parseProfile);
const profileId = optional(orNull(text));
const reference = orNull(text);
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
  // Nobody needs it, but a record without it is not one of the contract.
  integer(fields, 'updated_at');
  return {
    userId: userId(fields, 'user_id'),
    invitationReference: reference(fields, 'invitation_reference'),
    identity: {
      displayName: text(fields, 'display_name'),
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

const creators = listOf(parseAnyCreator);
const cursor = orNull(text);

/**
 * The contract asks for the next page by the last `user_id`; the cursor says that there is one, and is any string. A page
 * that is not in order, or that does not lead on, would make a walk skip creators or never end.
 */
export const parseRosterPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): RosterPage => {
    const fields = fieldsOf(body);
    const page = creators(fields, 'data');
    if (page.length > limit) throw new Mismatch('data is longer than the limit');
    let last: string = after ?? '';
    for (const { userId: id } of page) {
      if (id <= last) throw new Mismatch('data is not ordered by user_id');
      last = id;
    }
    if (cursor(fields, 'next_cursor') === null) return { creators: page, nextCursor: null };
    return { creators: page, nextCursor: page.at(-1)?.userId ?? beyond(fields, last) };
  };

/** An empty page has no last `user_id`, and leads on only where its cursor is one. */
const beyond = (fields: Fields, after: string): UserId => {
  const next = userId(fields, 'next_cursor');
  if (next <= after) throw new Mismatch('next_cursor does not lead on');
  return next;
};
