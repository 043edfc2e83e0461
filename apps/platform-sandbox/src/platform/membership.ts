import { notFound } from '../refusal.js';
import type { AgencyRecord, CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';

export function agencyOf(world: World, agencyId: string): AgencyRecord {
  const agency = world.agencies.get(agencyId);
  if (!agency) throw notFound('agency');
  return agency;
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
