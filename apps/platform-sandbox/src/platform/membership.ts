import { found, notFound } from '../refusal.js';
import type { AgencyRecord, CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';

export function agencyOf(world: World, agencyId: string): AgencyRecord {
  return found(world.agencies.get(agencyId), 'agency');
}

/** Anyone of the agency, staff included: what `getNativeCreator` shows. */
export function memberOf(world: World, agencyId: string, userId: string): CreatorRecord {
  agencyOf(world, agencyId);
  const member = world.creators.get(userId);
  if (!member || member.archived || member.agency_id !== agencyId) throw notFound('creator');
  return member;
}

/** Staff accounts have no slots, records or identity to write. */
export function creatorOf(world: World, agencyId: string, userId: string): CreatorRecord {
  const member = memberOf(world, agencyId, userId);
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
