import { randomUUID } from 'node:crypto';
import { contractMembers } from '../contract/document.js';
import type { ActivityType } from '../contract/types.js';
import { found, invalid, notFound } from '../operation.js';
import { countSlots, newAgency, slotOf, vacateSlot } from '../platform/agencies.js';
import { agencyOf, newCreator, type StandingRequest, standingOf } from '../platform/creators.js';
import { changeSubmission } from '../platform/deindex-submissions.js';
import { addImpersonation } from '../platform/impersonations.js';
import { accept, asOfNow, onboard, requirePending } from '../platform/invitations.js';
import { addLeak, changeLeak, recordActivity } from '../platform/leaks.js';
import { changeJob } from '../platform/scan-jobs.js';
import type * as kept from '../state/records.js';
import type { World } from '../state/world.js';

export interface Kind<R = unknown, Request = unknown> {
  /** The name of the member that identifies a record. */
  id: string;
  members: readonly string[];
  /** A record that does not exist yet, if a change creates it. */
  fresh?(id: string): R;
  /** Creates one of `count` records below an owner, and returns its id. */
  make?(world: World, ownerId: string, given: Request, at: number, count: number): string;
  /** Without it, a change replaces the given members. */
  change?(world: World, record: R, change: Request): unknown;
}

type CreatorRequest = StandingRequest &
  Partial<Omit<kept.CreatorRecord, keyof StandingRequest>> & {
    dashboard_slot?: boolean;
    api_slot?: boolean;
    leaks_each?: number;
  };

type InvitationRequest = StandingRequest & Partial<kept.InvitationRecord>;

/** By the name of their collection. */
export const KINDS: Readonly<Record<string, Kind>> = {
  agencies: kind<kept.AgencyRecord>({
    id: 'id',
    members: Object.keys(newAgency('')),
    fresh: newAgency,
    change: (world, agency, change) => ({
      ...world.agencies.put({ ...agency, ...change }),
      ...countSlots(world, agency.id),
    }),
  }),

  creators: kind<kept.CreatorRecord, CreatorRequest>({
    id: 'user_id',
    members: membersOf(
      'NativeCreator',
      'agency_id',
      'archived',
      'eligible',
      'dashboard_slot',
      'api_slot',
      'leaks_each',
    ),
    make(world, agencyId, { user_id = randomUUID(), leaks_each = 0, ...request }, at) {
      agencyOf(world, agencyId);
      writeCreator(world, newCreator(world, agencyId, user_id, at + 1), { eligible: true, ...request });
      for (let leaks = 0; leaks < leaks_each; leaks++) addLeak(world, user_id, {}, false);
      return user_id;
    },
    change(world, creator, request) {
      const { agency_id = creator.agency_id, archived = creator.archived } = request;
      if (agency_id !== null) agencyOf(world, agency_id);
      const isLeaving = agency_id !== creator.agency_id || archived;
      if (creator.agency_id !== null && isLeaving) vacateSlot(world, creator.agency_id, creator.user_id);
      return writeCreator(world, { ...creator, updated_at: world.after(creator.updated_at) }, request);
    },
  }),

  invitations: kind<kept.InvitationRecord, InvitationRequest>({
    id: 'id',
    members: ['status', 'user_id', 'email_sent', 'eligible', 'authorization', 'entitlement'],
    change(world, invitation, { status, user_id, email_sent = invitation.email_sent, ...standing }) {
      const userId = user_id ?? undefined;
      switch (status) {
        case 'accepted':
          return accept(world, invitation, userId);
        case 'onboarded':
          return onboard(world, invitation, standing, userId);
        case 'expired':
          requirePending(world, invitation);
          return asOfNow(world, world.invitations.put({ ...invitation, email_sent, expires_at: world.now() }));
        case undefined:
          return asOfNow(world, world.invitations.put({ ...invitation, email_sent }));
        default:
          throw invalid('body: status');
      }
    },
  }),

  leaks: kind<kept.LeakRecord, Partial<kept.LeakRecord> & { activity?: boolean }>({
    id: 'leak_id',
    members: membersOf('Leak', 'activity'),
    make: (world, userId, { activity, ...given }, _at, count) =>
      addLeak(world, creatorAt(world, userId).user_id, given, activity ?? count <= 100).leak_id,
    change: changeLeak,
  }),

  activity: kind<kept.ActivityRecord, { leak_id: string; type: ActivityType; occurred_at?: number }>({
    id: 'id',
    members: ['leak_id', 'type', 'occurred_at'],
    make(world, userId, { leak_id, type, occurred_at = world.now() }, at) {
      const leak = found(world.leaks.get(leak_id), 'leak');
      if (leak.user_id !== userId) throw notFound('leak');
      return recordActivity(world, leak, type, occurred_at + at).id;
    },
  }),

  impersonations: kind<kept.ImpersonationRecord>({
    id: 'impersonation_id',
    members: membersOf('Impersonation'),
    make: (world, userId, given) => addImpersonation(world, creatorAt(world, userId).user_id, given).impersonation_id,
    change: (world, known, change) =>
      world.impersonations.put({ ...known, ...change, updated_at: world.after(known.updated_at) }),
  }),

  jobs: kind<kept.ScanJobRecord, Partial<kept.ScanJobRecord> & { leaks_per_handle?: number }>({
    id: 'job_id',
    members: membersOf('ScanJob', 'auto', 'leaks_per_handle'),
    change: changeJob,
  }),

  submissions: kind<kept.SubmissionRecord>({
    id: 'submission_id',
    members: membersOf('DeindexSubmission'),
    change: changeSubmission,
  }),

  people: kind<kept.PersonRecord>({
    id: 'id',
    members: ['name', 'title', 'agency_id', 'roles'],
    fresh: (id) => ({ id, name: `Person ${id}`, title: '', agency_id: null, roles: [] }),
  }),
};

/** A request has passed the check of its members' names; here it gets its type. */
function kind<R, Request = Partial<R>>(definition: Kind<R, Request>): Kind {
  return definition as unknown as Kind;
}

function membersOf(schema: string, ...others: string[]): string[] {
  return [...Object.keys(contractMembers(schema)), ...others];
}

const creatorAt = (world: World, id: string) => found(world.creators.get(id), 'creator');

/** Unlike the API's own merge, the dashboard replaces lists. */
function writeCreator(world: World, creator: kept.CreatorRecord, request: CreatorRequest): kept.CreatorRecord {
  const { eligible: _e, authorization: _a, entitlement: _t, dashboard_slot, api_slot, ...members } = request;
  const written = world.creators.put({ ...creator, ...members, ...standingOf(request) });
  const { user_id, agency_id } = written;
  if (agency_id !== null && (dashboard_slot !== undefined || api_slot !== undefined)) {
    const slot = slotOf(world, agency_id, user_id);
    world.slots.put({ ...slot, dashboard: dashboard_slot ?? slot.dashboard, api: api_slot ?? slot.api });
  }
  return written;
}
