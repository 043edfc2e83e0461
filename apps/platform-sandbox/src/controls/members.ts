import { randomUUID } from 'node:crypto';
import { countSlots, holdSlot, newAgency } from '../platform/agencies.js';
import { accept, asOfNow, onboard, requirePending } from '../platform/invitations.js';
import { addLeak } from '../platform/leaks.js';
import { agencyOf, newCreator, type StandingRequest, standingOf } from '../platform/membership.js';
import { found, invalid } from '../refusal.js';
import type { AgencyRecord, CreatorRecord, InvitationRecord, PersonRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { COUNT, change, control, deletion, FLAG, membersOf, TEXT, UUID } from './control.js';

const AGENCY = {
  ...membersOf('Agency', 'id'),
  ...membersOf('Capacity', 'occupied_slots', 'reserved_slots'),
  dashboard_slots: COUNT,
  billing_offered: FLAG,
  /** As the contract has them, or not: a test may give what the service has to leave out. */
  payment_methods: { type: 'array', items: { type: 'object' } },
};

const {
  authorization: _,
  entitlement,
  ...IDENTITY
} = membersOf('NativeCreator', 'user_id', 'invitation_reference', 'updated_at');

/** A word stands for the contract's object. An authorization may also break the contract, for what is left out. */
const STANDING = {
  eligible: FLAG,
  authorization: { anyOf: [{ enum: ['approved', 'pending', 'rejected', 'expired', 'missing'] }, { type: 'object' }] },
  entitlement: { anyOf: [{ enum: ['agency_plan', 'creator_subscription', 'none'] }, entitlement] },
};

const CREATOR = { ...IDENTITY, ...STANDING, dashboard_slot: FLAG, api_slot: FLAG };

type CreatorRequest = StandingRequest &
  Partial<Omit<CreatorRecord, keyof StandingRequest>> & { dashboard_slot?: boolean; api_slot?: boolean };

const PERSON = {
  name: TEXT,
  title: TEXT,
  agency_id: { type: ['string', 'array', 'null'], items: TEXT },
  roles: { type: 'array', items: TEXT },
};

export const memberControls = [
  control<Partial<AgencyRecord>>('PUT', '/agencies/:id', AGENCY, (world, { id, body }) => {
    const agency = world.agencies.put({ ...(world.agencies.get(id) ?? newAgency(id)), ...body });
    return { ...agency, ...countSlots(world, id) };
  }),

  control<CreatorRequest & { count?: number; leaks_each?: number }>(
    'POST',
    '/agencies/:id/creators',
    { ...CREATOR, count: COUNT, user_id: UUID, leaks_each: COUNT },
    (world, { id, body }) => {
      agencyOf(world, id);
      const { count = 1, user_id, leaks_each = 0, ...request } = body;
      if (user_id !== undefined && count !== 1) throw invalid('user_id is for one creator');
      const user_ids = Array.from({ length: count }, () => user_id ?? randomUUID());
      for (const [at, userId] of user_ids.entries()) {
        write(world, newCreator(world, id, userId, at + 1), { eligible: true, ...request });
        for (let leaks = 0; leaks < leaks_each; leaks++) addLeak(world, userId, {}, false);
      }
      return { user_ids };
    },
  ),

  change<CreatorRecord, CreatorRequest>(
    'creators',
    { ...CREATOR, agency_id: { type: ['string', 'null'] }, archived: FLAG },
    (world) => world.creators,
    (world, creator, request) => {
      const { agency_id = creator.agency_id, archived = creator.archived } = request;
      if (agency_id !== null) agencyOf(world, agency_id);
      // A creator that leaves gives up its slot.
      if (agency_id !== creator.agency_id || archived) world.slots.remove(creator.user_id);
      return write(world, { ...creator, updated_at: world.after(creator.updated_at) }, request);
    },
  ),

  control<{ user_id?: string }>('POST', '/invitations/:id/accept', { user_id: UUID }, (world, { id, body }) =>
    accept(world, invitationAt(world, id), body.user_id),
  ),
  control<StandingRequest & { user_id?: string }>(
    'POST',
    '/invitations/:id/onboard',
    { ...STANDING, user_id: UUID },
    (world, { id, body: { user_id, ...standing } }) => onboard(world, invitationAt(world, id), standing, user_id),
  ),
  control('POST', '/invitations/:id/expire', {}, (world, { id }) => {
    const invitation = invitationAt(world, id);
    requirePending(world, invitation);
    return asOfNow(world, world.invitations.put({ ...invitation, expires_at: world.now() }));
  }),
  change<InvitationRecord>(
    'invitations',
    { email_sent: FLAG },
    (world) => world.invitations,
    (world, invitation, body) => asOfNow(world, world.invitations.put({ ...invitation, ...body })),
  ),

  control<Partial<PersonRecord>>('PUT', '/people/:id', PERSON, (world, { id, body }) => {
    const unknown = { id, name: `Person ${id}`, title: '', agency_id: null, roles: [] };
    return world.people.put({ ...(world.people.get(id) ?? unknown), ...body });
  }),
  deletion('people', (world) => world.people),
];

const invitationAt = (world: World, id: string) => found(world.invitations.find(id), 'invitation');

/** Unlike the API's own merge, the dashboard replaces lists. */
function write(world: World, creator: CreatorRecord, request: CreatorRequest): CreatorRecord {
  const { eligible: _e, authorization: _a, entitlement: _t, dashboard_slot, api_slot, ...members } = request;
  const written = world.creators.put({ ...creator, ...members, ...standingOf(request) });
  const { user_id, agency_id } = written;
  if (agency_id !== null && (dashboard_slot !== undefined || api_slot !== undefined)) {
    const { dashboard = false, api = false } = world.slots.get(user_id) ?? {};
    holdSlot(world, { user_id, agency_id, dashboard: dashboard_slot ?? dashboard, api: api_slot ?? api });
  }
  return written;
}
