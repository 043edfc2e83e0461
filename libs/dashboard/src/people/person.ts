import { type AgencyId, agencyId, derivedUuid, parseUserId, textProblem, type UserId } from '#kernel';

const MAX_LENGTH = 200;

/** The claim of the name, or else the value at the path, such as `realm_access.roles`. A URL is a name with dots. */
export const claimAt = (claims: object, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return Reflect.get(claims, name);
  let value: unknown = claims;
  for (const step of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
};

/** A text or a list of texts. Other values are ignored. */
const textsIn = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && text !== '' && text.length <= MAX_LENGTH);

export const STAFF_ROLES = ['operator', 'auditor', 'analyst'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** The id on the native platform; null for a person it does not know. */
  readonly userId: UserId | null;
  readonly name: string | null;
  readonly agencies: readonly AgencyId[];
  readonly roles: readonly StaffRole[];
}

export interface ClaimNames {
  readonly subject: string;
  readonly agency: string;
  readonly roles: string;
}

/** The rest of a longer list is left out. */
const MAX_AGENCIES = 100;
const NAMES = ['name', 'preferred_username', 'email'];

export const personOf = (
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  names: ClaimNames,
): Person => {
  const [userId = ''] = textsIn(claimAt(claims, names.subject));
  const roles = textsIn(claimAt(claims, names.roles));
  const shown = NAMES.flatMap((each) => textsIn(claims[each]));
  return {
    issuer: claims.iss,
    subject: claims.sub,
    userId: parseUserId(userId) ?? null,
    // Pages show it in place of an id.
    name: shown.find((text) => textProblem(text, MAX_LENGTH) === undefined) ?? null,
    agencies: [...new Set(textsIn(claimAt(claims, names.agency)))].slice(0, MAX_AGENCIES).map(agencyId),
    roles: STAFF_ROLES.filter((role) => roles.includes(role)),
  };
};

/** The actor in the event log: the platform's user id for the agency's own people, a UUIDv5 of issuer and subject for others. */
export const actorOf = ({ issuer, subject, userId }: Person, isOfAgency: boolean): string =>
  `user:${isOfAgency && userId !== null ? userId : derivedUuid(issuer, subject)}`;
