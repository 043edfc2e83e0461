import type {
  Authorization,
  AuthorizationStatus,
  Entitlement,
  EntitlementSource,
  NativeCreator,
} from '../contract/types.js';
import type { Call } from '../operation.js';
import { found, notFound } from '../refusal.js';
import type { AgencyRecord, CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';

export function agencyOf(world: World, agencyId: string): AgencyRecord {
  return found(world.agencies.get(agencyId), 'agency');
}

type Subject = Pick<Call, 'agencyId' | 'userId'>;

/** Anyone of the agency, staff included: what `getNativeCreator` shows. */
export function memberOf(world: World, { agencyId, userId }: Subject): CreatorRecord {
  agencyOf(world, agencyId);
  const member = world.creators.get(userId);
  if (!member || member.archived || member.agency_id !== agencyId) throw notFound('creator');
  return member;
}

/** Staff accounts have no slots, records or identity to write. */
export function creatorOf(world: World, subject: Subject): CreatorRecord {
  const member = memberOf(world, subject);
  if (member.is_staff) throw notFound('creator');
  return member;
}

export function newCreator(world: World, agencyId: string, userId: string, number: number): CreatorRecord {
  return {
    user_id: userId,
    agency_id: agencyId,
    archived: false,
    invitation_reference: null,
    display_name: `Creator ${String(number).padStart(5, '0')}`,
    aliases: [`creator ${number}`],
    profiles: [{ platform: 'onlyfans', username: `creator_${userId.slice(0, 8)}`, profile_id: null }],
    is_staff: false,
    onboarding_complete: true,
    authorization: { approved: false, status: 'missing', expires_at: null },
    entitlement: { active: false, source: 'none' },
    updated_at: world.now(),
  };
}

/** A control sets a creator's standing by a word, by the contract's object, or by `eligible`. */
export interface StandingRequest {
  eligible?: boolean;
  authorization?: AuthorizationStatus | Authorization;
  entitlement?: EntitlementSource | Entitlement;
}

type Standing = Pick<NativeCreator, 'authorization' | 'entitlement'>;

export function standingOf({ eligible, authorization, entitlement }: StandingRequest): Partial<Standing> {
  if (eligible !== undefined) {
    return standingOf({
      authorization: authorization ?? (eligible ? 'approved' : 'pending'),
      entitlement: entitlement ?? (eligible ? 'agency_plan' : 'none'),
    });
  }
  return {
    ...(authorization !== undefined && { authorization: authorizationOf(authorization) }),
    ...(entitlement !== undefined && { entitlement: entitlementOf(entitlement) }),
  };
}

/** Objects are shown as given, even an `expires_at` of the past together with `approved: true`. */
function authorizationOf(given: AuthorizationStatus | Authorization): Authorization {
  return typeof given === 'string' ? { approved: given === 'approved', status: given, expires_at: null } : given;
}

function entitlementOf(given: EntitlementSource | Entitlement): Entitlement {
  return typeof given === 'string' ? { active: given !== 'none', source: given } : given;
}
