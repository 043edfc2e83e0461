import { randomUUID } from 'node:crypto';
import { objectOf } from '../contract/schemas.js';
import { agencyOf, newCreator } from '../platform/membership.js';
import { holdSlot } from '../platform/slots.js';
import { type StandingRequest, standingOf } from '../platform/standing.js';
import { found, invalid } from '../refusal.js';
import type { CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { COUNT, control, FLAG, NULLABLE_TEXT, TEXT, TEXTS, UUID } from './control.js';
import { addLeaks } from './leaks.js';
import { STANDING_MEMBERS } from './standing.js';

const PROFILE = objectOf({ platform: TEXT, username: TEXT, profile_id: NULLABLE_TEXT }, ['platform', 'username']);

const IDENTITY = {
  display_name: TEXT,
  aliases: TEXTS,
  profiles: { type: 'array', items: PROFILE },
  is_staff: FLAG,
  onboarding_complete: FLAG,
  dashboard_slot: FLAG,
  api_slot: FLAG,
  ...STANDING_MEMBERS,
};
const NEW = objectOf({ count: COUNT, user_id: UUID, leaks_each: COUNT, ...IDENTITY });
const CHANGE = objectOf({ agency_id: NULLABLE_TEXT, archived: FLAG, ...IDENTITY });

type IdentityMember = 'display_name' | 'aliases' | 'profiles' | 'is_staff' | 'onboarding_complete';

interface CreatorRequest extends StandingRequest, Partial<Pick<CreatorRecord, IdentityMember>> {
  dashboard_slot?: boolean;
  api_slot?: boolean;
}

interface CreateRequest extends CreatorRequest {
  count?: number;
  user_id?: string;
  leaks_each?: number;
}

interface ChangeRequest extends CreatorRequest {
  agency_id?: string | null;
  archived?: boolean;
}

export const creatorControls = [
  control<CreateRequest>('POST', '/agencies/:id/creators', NEW, ({ world }, { id, body }) => {
    agencyOf(world, id);
    const { count = 1, user_id, leaks_each = 0, ...request } = body;
    if (user_id !== undefined && count !== 1) throw invalid('user_id is for one creator');
    const created = Array.from({ length: count }, (_, at) =>
      write(world, newCreator(world, id, user_id ?? randomUUID(), at + 1), { eligible: true, ...request }),
    );
    for (const creator of created) addLeaks(world, creator.user_id, { count: leaks_each, activity: false });
    return { user_ids: created.map((creator) => creator.user_id) };
  }),

  control<ChangeRequest>('PATCH', '/creators/:id', CHANGE, ({ world }, { id, body }) => {
    const creator = found(world.creators.get(id), 'creator');
    const { agency_id = creator.agency_id, archived = creator.archived, ...request } = body;
    if (agency_id !== null) agencyOf(world, agency_id);
    // A creator that leaves gives up its slot.
    if (agency_id !== creator.agency_id || archived) world.slots.remove(creator.user_id);
    const updated_at = world.after(creator.updated_at);
    return write(world, { ...creator, agency_id, archived, updated_at }, request);
  }),
];

/** Unlike the API's own merge, the dashboard replaces lists. */
function write(world: World, creator: CreatorRecord, request: CreatorRequest): CreatorRecord {
  const { eligible: _e, authorization: _a, entitlement: _t, dashboard_slot, api_slot, ...identity } = request;
  const written = world.creators.put({ ...creator, ...identity, ...standingOf(request) });
  if (written.agency_id !== null && (dashboard_slot !== undefined || api_slot !== undefined)) {
    const held = world.slots.get(written.user_id);
    holdSlot(world, {
      user_id: written.user_id,
      agency_id: written.agency_id,
      dashboard: dashboard_slot ?? held?.dashboard ?? false,
      api: api_slot ?? held?.api ?? false,
    });
  }
  return written;
}
