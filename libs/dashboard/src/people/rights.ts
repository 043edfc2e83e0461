import type { AgencyDescription } from '#agencies';
import type { AgencyId } from '#kernel';
import type { Person } from './person.js';

/** What a person is for one agency, or for the service as a whole. */
export const ROLES = ['owner', 'member', 'operator', 'auditor', 'analyst'] as const;
export type Role = (typeof ROLES)[number];

export const RIGHTS = [
  'read',
  'bind',
  'manage_keys',
  'revoke_keys',
  'manage_endpoints',
  'disable_endpoints',
  'replay',
  'billing',
] as const;
export type Right = (typeof RIGHTS)[number];

/** What each role may do on an agency's dashboard. Auditors and analysts have a console of their own. */
export const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  member: ['read'],
  operator: ['read', 'revoke_keys', 'disable_endpoints', 'replay'],
  auditor: [],
  analyst: [],
};

type Native = AgencyDescription['native'];

export const isOwner = ({ userId }: Person, native: Native): boolean =>
  native !== 'unavailable' && userId !== null && native?.ownerUserId === userId;

/** The role in one agency, null for a stranger. While the platform cannot be asked, nobody is more than a member. */
export const roleIn = (
  person: Person,
  agencyId: AgencyId,
  native: Native,
  owned: readonly AgencyId[],
): 'owner' | 'operator' | 'member' | null => {
  if (isOwner(person, native)) return 'owner';
  const isOperator = person.roles.includes('operator');
  if (native !== 'unavailable' && isOperator) return 'operator';
  const isKnown =
    isOperator || person.agencies.includes(agencyId) || (native === 'unavailable' && owned.includes(agencyId));
  return isKnown ? 'member' : null;
};

/** The role outside of any agency: the first of them, which may the most. */
export const roleOfStaff = ({ roles }: Person): Role | null => roles[0] ?? null;
