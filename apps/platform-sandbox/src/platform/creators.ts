import { isDeepStrictEqual } from 'node:util';
import type {
  Authorization,
  AuthorizationStatus,
  Entitlement,
  EntitlementSource,
  NativeCreator,
  Profile,
} from '../contract/types.js';
import {
  afterOf,
  bodyOf,
  type Call,
  changedTo,
  found,
  invalid,
  notFound,
  type Operations,
  ok,
  page,
} from '../operation.js';
import type { AgencyRecord, CreatorRecord } from '../state/records.js';
import type { World } from '../state/world.js';

type IdentityChange = Partial<Pick<NativeCreator, 'display_name' | 'aliases' | 'profiles'>>;

export const creatorOperations: Operations = {
  listRoster(world, call) {
    const { id } = agencyOf(world, call.agencyId);
    const members = world.creators.ascending(id, afterOf(call)?.toLowerCase());
    return page(listed(members), call, (creator) => creator.user_id);
  },

  getNativeCreator: (world, call) => ok(memberOf(world, call)),

  updateIdentity(world, call) {
    const creator = creatorOf(world, call);
    const { display_name = creator.display_name, aliases = [], profiles = [] } = bodyOf<IdentityChange>(call);
    refuseMalformed(profiles);
    const next = {
      ...creator,
      display_name,
      aliases: [...new Set([...creator.aliases, ...aliases])],
      profiles: mergeProfiles(creator.profiles, profiles),
    };
    if (isDeepStrictEqual(next, creator)) return changedTo(creator, false);
    world.countEffect('identity_writes', creator.user_id);
    return changedTo(world.creators.put({ ...next, updated_at: world.after(creator.updated_at) }), true);
  },
};

function* listed(members: Iterable<CreatorRecord>): Generator<CreatorRecord> {
  for (const member of members) if (!member.is_staff && member.onboarding_complete) yield member;
}

/** Keeps the existing spelling, and fills in a missing profile_id. */
function mergeProfiles(existing: Profile[], added: Profile[]): Profile[] {
  const merged = new Map(existing.map((profile) => [identityOf(profile), profile]));
  for (const profile of added) {
    const known = merged.get(identityOf(profile));
    const profile_id = known?.profile_id ?? profile.profile_id ?? null;
    merged.set(identityOf(profile), { ...(known ?? profile), profile_id });
  }
  return [...merged.values()];
}

/** Compares platform and case-insensitive username; on ManyVids the id. Without an id, it matches none with an id. */
function identityOf({ platform, username, profile_id }: Profile): string {
  const id = platform === 'manyvids' ? (profile_id ?? null) : null;
  return JSON.stringify(id === null ? [platform, username.toLowerCase()] : [platform, null, id]);
}

/** The contract's description, not its schema, says that a platform's name is lower-case. */
function refuseMalformed(profiles: Profile[]): void {
  for (const { platform, username } of profiles) {
    if (!/^\S+$/.test(platform) || platform !== platform.toLowerCase()) throw invalid(`body: platform ${platform}`);
    if (!/^\S+$/.test(username)) throw invalid('body: username is blank');
  }
}

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

/** Objects are shown as given, even an `expires_at` in the past together with `approved: true`. */
function authorizationOf(given: AuthorizationStatus | Authorization): Authorization {
  return typeof given === 'string' ? { approved: given === 'approved', status: given, expires_at: null } : given;
}

function entitlementOf(given: EntitlementSource | Entitlement): Entitlement {
  return typeof given === 'string' ? { active: given !== 'none', source: given } : given;
}
