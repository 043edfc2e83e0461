import { type CreatorId, derivedId, type Instant, type UserId } from '#kernel';
import { folded, given, type Past } from '#testing';
import { agency, invitee, mia, miaUser, submitted } from '../creator.fixtures.js';
import { ErasureHashes } from '../membership/erasure.js';
import { type Roster, type RosterEvent, rosterDecider, type SeatReleaseReason } from './roster.js';
import { type AdmissionRequest, admit as admitWith, type EndedEnrollment } from './roster-admission.js';

export const eve = derivedId('creator', 'eve');

export const zoe = derivedId('creator', 'zoe');

export const zoeUser = '0a000000-0000-4000-8000-000000000003' as UserId;

export const SLOTS = 2;

export const workspace = derivedId('workspace', 'ag_lumen');

export const hashes = new ErasureHashes(Buffer.alloc(32, 7));

export const admit = (
  roster: Roster,
  asked: AdmissionRequest,
  totalSlots: number,
  now: Instant = 0,
  ended?: EndedEnrollment,
): RosterEvent[] => admitWith(roster, asked, totalSlots, { hashes: hashes.of(workspace, asked.personal), ended }, now);

export const request = (
  creatorId: CreatorId,
  externalId: string,
  userId: UserId | null,
  fingerprint = `body of ${externalId}`,
): AdmissionRequest => ({
  creatorId,
  agencyId: agency,
  epoch: 1,
  via: userId === null ? 'invitation' : 'link',
  userId,
  personal: { externalId, fingerprint, submitted: { identity: submitted, invitee: userId === null ? invitee : null } },
});

export const admitted = (data: AdmissionRequest): RosterEvent => ({ type: 'roster.creatorAdmitted.v1', data });

export const replaced = (data: AdmissionRequest): RosterEvent => ({ type: 'roster.externalIdReplaced.v1', data });

export const imported = (creatorId: CreatorId, userId: UserId, epoch = 1): RosterEvent => ({
  type: 'roster.creatorAdmitted.v1',
  data: {
    creatorId,
    agencyId: agency,
    epoch,
    via: 'import',
    userId,
    personal: { externalId: `svc:${userId}`, fingerprint: null, submitted: null },
  },
});

export const userLinked = (creatorId: CreatorId, userId: UserId): RosterEvent => ({
  type: 'roster.nativeUserLinked.v1',
  data: { creatorId, userId },
});

export const released = (creatorId: CreatorId, reason: SeatReleaseReason): RosterEvent => ({
  type: 'roster.creatorReleased.v1',
  data: { creatorId, reason },
});

export const seatReservedAgain = (creatorId: CreatorId): RosterEvent => ({
  type: 'roster.seatReservedAgain.v1',
  data: { creatorId },
});

export const givenRoster = (past: Past<RosterEvent>) => given(rosterDecider, past);

export const rosterOf = (past: readonly RosterEvent[]) => folded(rosterDecider, past);

export const miaLink = request(mia, 'ext-mia', miaUser);

export const miaInvited = request(mia, 'ext-mia', null);
