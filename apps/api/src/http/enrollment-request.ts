import { createHash } from 'node:crypto';
import { ApiSchema } from '@nestjs/swagger';
import {
  distinctAliases,
  distinctProfiles,
  externalIdProblem,
  type Invite,
  type LinkEnrollment,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EXTERNAL_ID_LENGTH,
  MAX_PERSON_NAME_LENGTH,
  MAX_WORKSPACE_ID_LENGTH,
  type Profile,
  parseProfileUrl,
} from '#creators';
import {
  Aliases,
  Described,
  Email,
  joined,
  MAX_DEPTH,
  OneOf,
  Optional,
  ProfileUrls,
  problemsOf,
  RepeatableBody,
  Text,
  UserIdText,
} from '#http';
import { type FieldError, invalidRequest, parseUserId, type UserId } from '#kernel';

const OF_INVITATIONS = 'Required for an invitation, and refused together with `svc_user_id`.';
const ALIASES = 'Pseudonyms, other spellings and usernames. They are added to those on the platform.';
const PROFILE_URLS = 'Official profiles on supported platforms. Put a username of another platform into `aliases`.';

@ApiSchema({
  description:
    'Either a link or an invitation. A link has `svc_user_id`, and none of `email`, `first_name`, `last_name` and `locale`. An invitation has ' +
    '`email`, `first_name` and `last_name`, and no `svc_user_id`; `locale` is optional. Texts need a visible character and must not have control characters.',
})
export class EnrollCreatorBody extends RepeatableBody {
  @Described('The `workspace_id` of `GET /v1/me`.')
  @Text(MAX_WORKSPACE_ID_LENGTH)
  workspace_id!: string;

  @Described('Your own id for the creator, unique in the workspace.')
  @Text(MAX_EXTERNAL_ID_LENGTH)
  external_id!: string;

  @Described('The name to search for.')
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name!: string;

  @Optional()
  @Described(ALIASES)
  @Aliases()
  aliases?: string[];

  @Optional()
  @Described(PROFILE_URLS)
  @ProfileUrls()
  profile_urls?: string[];

  @Optional()
  @Described('The platform user to link.')
  @UserIdText()
  svc_user_id?: string;

  @Optional()
  @Described(`One address, without a name or angle brackets. ${OF_INVITATIONS}`)
  @Email()
  email?: string;

  @Optional()
  @Described(OF_INVITATIONS)
  @Text(MAX_PERSON_NAME_LENGTH)
  first_name?: string;

  @Optional()
  @Described(OF_INVITATIONS)
  @Text(MAX_PERSON_NAME_LENGTH)
  last_name?: string;

  @Optional()
  @Described('The language of the invitation; `en` by default. Only for an invitation.')
  @OneOf('en', 'fr')
  locale?: 'en' | 'fr';
}

export class UpdateCreatorBody {
  @Optional()
  @Described('The new name.')
  @Text(MAX_DISPLAY_NAME_LENGTH)
  display_name?: string;

  @Optional()
  @Described(ALIASES)
  @Aliases()
  aliases?: string[];

  @Optional()
  @Described(PROFILE_URLS)
  @ProfileUrls()
  profile_urls?: string[];
}

export class SetProtectionBody {
  @Described('Whether scans are scheduled and time is metered.')
  @OneOf('active', 'paused')
  status!: 'active' | 'paused';
}

const INVITATION_FIELDS = ['email', 'first_name', 'last_name'] as const;

/** Link or invitation (D23, D25). Puts errors in `problems`, unless it cannot repeat an accepted request (D98). */
export const enrollmentRequest = (body: EnrollCreatorBody, sent: unknown): LinkEnrollment | Invite => {
  const { external_id, display_name, aliases, profile_urls, svc_user_id } = body;
  const userId = typeof svc_user_id === 'string' ? parseUserId(svc_user_id) : undefined;
  const problems = joined(problemsOf(body), [
    ...identificationProblems(body),
    ...externalIdProblems(external_id, userId),
  ]);
  const isRepeatable = typeof external_id === 'string' && (svc_user_id === undefined || userId !== undefined);
  if (!isRepeatable) throw invalidRequest(...problems);
  const request = {
    externalId: external_id,
    identity: {
      displayName: display_name,
      aliases: distinctAliases(textsOf(aliases)),
      profiles: parseProfiles(textsOf(profile_urls)),
    },
    fingerprint: fingerprintOf(sent),
    problems,
  };
  if (userId !== undefined) return { ...request, userId };
  const { email = '', first_name = '', last_name = '', locale = 'en' } = body;
  return { ...request, invitee: { email, firstName: first_name, lastName: last_name, locale } };
};

/** The texts of a list that may have been refused. */
const textsOf = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];

export const parseProfiles = (urls: readonly string[]): Profile[] =>
  distinctProfiles(urls.map(parseProfileUrl).filter((profile) => profile !== undefined));

const identificationProblems = (body: EnrollCreatorBody): FieldError[] => {
  const ofInvitation = [...INVITATION_FIELDS, 'locale'] as const;
  if (body.svc_user_id !== undefined) {
    const extra = ofInvitation.filter((field) => body[field] !== undefined);
    return extra.map((field) => ({ field, message: 'must not be sent with svc_user_id' }));
  }
  const missing = INVITATION_FIELDS.filter((field) => body[field] === undefined);
  return missing.map((field) => ({ field, message: 'is required without svc_user_id' }));
};

const externalIdProblems = (externalId: unknown, userId: UserId | undefined): FieldError[] => {
  const message = typeof externalId === 'string' ? externalIdProblem(externalId, userId) : undefined;
  return message === undefined ? [] : [{ field: 'external_id', message }];
};

/** D24: hashes the body as it was sent: keys in any order, arrays in order, without defaults. */
const fingerprintOf = (sent: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(sent)))
    .digest('hex');

/** Nesting that is deeper than any accepted body makes no difference, and would exhaust the stack. */
const sorted = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member, depth + 1)]);
};
