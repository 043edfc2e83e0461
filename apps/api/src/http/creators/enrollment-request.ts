import { createHash } from 'node:crypto';
import {
  distinctAliases,
  distinctProfiles,
  externalIdProblem,
  type Invite,
  type LinkEnrollment,
  type Profile,
  parseProfileUrl,
} from '#creators';
import { joined, MAX_DEPTH, problemsOf } from '#http';
import { type FieldError, invalidRequest, parseUserId, type UserId } from '#kernel';
import type { EnrollCreatorBody } from './creators.dto.js';

const INVITATION_FIELDS = ['email', 'first_name', 'last_name'] as const;

/** Link or invitation (D23, D25). What is wrong is in `problems`, unless it can be no repeat of an accepted one (D98). */
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

/** Of a list that may be refused. */
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

/** D24: hashes the body as it was sent: keys in any order, arrays in their order, without defaults. */
const fingerprintOf = (sent: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(sent)))
    .digest('hex');

/** What is nested deeper than any accepted body needs no difference; the stack ends at some thousand levels. */
const sorted = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return entries.map(([key, member]) => [key, sorted(member, depth + 1)]);
};
