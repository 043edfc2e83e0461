import type { NativeCreator } from '../contract/types.js';
import { type Operation, ok } from '../operation.js';
import type { CreatorRecord } from '../state/records.js';
import { agencyOf, memberOf } from './membership.js';
import { afterOf, page } from './page.js';

export const listRoster: Operation = (world, call) => {
  agencyOf(world, call.agencyId);
  const members = world.creators.ascending(call.agencyId, afterOf(call)?.toLowerCase());
  return ok(page(listed(members), call, showCreator, (creator) => creator.user_id));
};

export const getNativeCreator: Operation = (world, { agencyId, userId }) =>
  ok(showCreator(memberOf(world, agencyId, userId)));

export function showCreator(creator: CreatorRecord): NativeCreator {
  const { agency_id: _agency, archived: _archived, ...shown } = creator;
  return shown;
}

function* listed(members: Iterable<CreatorRecord>): Generator<CreatorRecord> {
  for (const member of members) if (!member.is_staff && member.onboarding_complete) yield member;
}
