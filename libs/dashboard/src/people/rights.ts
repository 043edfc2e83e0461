import type { AgencyDescription } from '#agencies';
import type { AgencyId } from '#kernel';
import type { Person } from './person.js';

/** What a person is for one agency, or for the service as a whole. */
export type Role = 'owner' | 'member' | 'operator' | 'auditor' | 'analyst';

const RIGHTS = [
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

/** Whether a person can have a role in that agency at all; of another one the platform is not asked (D109). */
export const mayBeOf = ({ agencies, roles }: Person, agencyId: AgencyId): boolean =>
  roles.includes('operator') || agencies.includes(agencyId);

/** The role in an agency that the person may be of. While the platform cannot be asked, nobody is more than a member. */
export const roleIn = (
  { userId, roles }: Person,
  native: AgencyDescription['native'],
): 'owner' | 'operator' | 'member' => {
  if (native === 'unavailable') return 'member';
  if (userId !== null && native?.ownerUserId === userId) return 'owner';
  return roles.includes('operator') ? 'operator' : 'member';
};

/** The role outside of any agency: the first of them, which may the most. */
export const roleOfStaff = ({ roles }: Person): Role | null => roles[0] ?? null;
