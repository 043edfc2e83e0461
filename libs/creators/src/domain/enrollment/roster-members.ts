import type { AgencyId, CreatorId, UserId } from '#kernel';
import type { RosterEvent } from './roster.events.js';
import { type Roster, rosterDecider } from './roster.js';

export const automaticExternalId = (userId: UserId): string => `svc:${userId}`;

export interface RosterMember {
  readonly userId: UserId;
  /** The creator whose invitation the user has accepted, as the platform says. */
  readonly invited: CreatorId | null;
  /** The id for a creator that has to be created. */
  readonly newId: CreatorId;
}

/** Finds each member's creator: the known one (D74), the one that was invited (D35), or a newly imported one. */
export function admitMembers(
  roster: Roster,
  members: readonly RosterMember[],
  { agencyId, epoch }: { readonly agencyId: AgencyId; readonly epoch: number },
): RosterEvent[] {
  const admitted: RosterEvent[] = [];
  let known = roster;
  for (const { userId, invited, newId } of members) {
    const linked = invited === null ? [] : linkUser(known, invited, userId);
    const isNew = linked.length === 0 && !known.byUser.has(userId);
    const imported = isNew ? [importOf(userId, { creatorId: newId, agencyId, epoch })] : [];
    for (const event of [...linked, ...imported]) {
      admitted.push(event);
      known = rosterDecider.evolve(known, event, 0);
    }
  }
  return admitted;
}

const importOf = (
  userId: UserId,
  enrolling: { readonly creatorId: CreatorId; readonly agencyId: AgencyId; readonly epoch: number },
): RosterEvent => {
  const personal = { externalId: automaticExternalId(userId), fingerprint: null, submitted: null };
  return { type: 'roster.creatorAdmitted.v1', data: { ...enrolling, via: 'import', userId, personal } };
};

/** Only a creator without a user can be the invited one; of a user that has a creator, it is detached (D74). */
export function linkUser(roster: Roster, creatorId: CreatorId, userId: UserId): RosterEvent[] {
  const entry = roster.creators.get(creatorId);
  if (entry === undefined || entry.userId !== null || entry.isDetached) return [];
  const keptBy = roster.byUser.get(userId);
  if (keptBy !== undefined) return [{ type: 'roster.inviteeDetached.v1', data: { creatorId, userId, keptBy } }];
  return [{ type: 'roster.nativeUserLinked.v1', data: { creatorId, userId } }];
}
