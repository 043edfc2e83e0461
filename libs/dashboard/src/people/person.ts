import { type AgencyId, agencyId, derivedUuid, parseUserId, type UserId } from '#kernel';
import { claimAt, textsIn } from './claims.js';

export const STAFF_ROLES = ['operator', 'auditor', 'analyst'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** On the native platform; null for a person whom it does not know. */
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

/** One person is not in more agencies; the rest of a longer list is left out. */
const MAX_AGENCIES = 100;
const NAMES = ['name', 'preferred_username', 'email'];

export const personOf = (
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
  names: ClaimNames,
): Person => {
  const [userId = ''] = textsIn(claimAt(claims, names.subject));
  const roles = textsIn(claimAt(claims, names.roles));
  const [name = null] = NAMES.flatMap((each) => textsIn(claims[each]));
  return {
    issuer: claims.iss,
    subject: claims.sub,
    userId: parseUserId(userId) ?? null,
    name,
    agencies: [...new Set(textsIn(claimAt(claims, names.agency)))].slice(0, MAX_AGENCIES).map(agencyId),
    roles: STAFF_ROLES.filter((role) => roles.includes(role)),
  };
};

/** Who acts, in the event log: the platform's user where the agency's own people act, else a UUIDv5 of issuer and subject. */
export const actorOf = ({ issuer, subject, userId }: Person, isOfAgency: boolean): string =>
  `user:${isOfAgency && userId !== null ? userId : derivedUuid(issuer, subject)}`;
