import type { AgencyDescription } from '#agencies';
import type { AgencyId } from '#kernel';
import type { Person } from './person.js';

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

/** The rights on an agency's dashboard. Auditors and analysts use the command-line tool. */
export const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  owner: RIGHTS,
  member: ['read'],
  operator: ['read', 'revoke_keys', 'disable_endpoints', 'replay'],
  auditor: [],
  analyst: [],
};

/** Whether a person can have a role in the agency. If not, the platform is not asked (D109). */
export const mayBeOf = ({ agencies, roles }: Person, agencyId: AgencyId): boolean =>
  roles.includes('operator') || agencies.includes(agencyId);

/** The role in an agency. While the platform cannot be asked, everybody is a member. */
export const roleIn = (
  { userId, roles }: Person,
  native: AgencyDescription['native'],
): 'owner' | 'operator' | 'member' => {
  if (native === 'unavailable') return 'member';
  if (userId !== null && native?.ownerUserId === userId) return 'owner';
  return roles.includes('operator') ? 'operator' : 'member';
};

/** The role outside any agency: the first one, which has the most rights. */
export const roleOfStaff = ({ roles }: Person): Role | null => roles[0] ?? null;
