import { describe, expect, it } from '@jest/globals';
import { type CreatorId, derivedId, type UserId } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import {
  admit,
  admitted,
  eve,
  givenRoster,
  imported,
  miaInvited,
  miaLink,
  released,
  request,
  rosterOf,
  SLOTS,
  seatReservedAgain,
  userLinked,
  zoe,
  zoeUser,
} from './roster.fixtures.js';
import type { Roster, RosterEvent } from './roster.js';
import { admitMembers, linkUser, type RosterMember } from './roster-admission.js';
import { digestOf } from './roster-entry.js';
import { countAgain, ENROLLMENTS_PER_SLOT, release, reserveSeatForRetry } from './roster-seats.js';

describe('the enrollment cap', () => {
  const crowd = (size: number): RosterEvent[] =>
    Array.from({ length: size }, (_, index) => admitted(request(derivedId('creator', index), `ext-${index}`, null)));
  const full = crowd(ENROLLMENTS_PER_SLOT * SLOTS);

  it('D31: is five times the total slots', () => {
    expect(ENROLLMENTS_PER_SLOT).toBe(5);
    givenRoster(full.slice(1))
      .when((roster) => admit(roster, miaLink, SLOTS))
      .then([admitted(miaLink)]);
    givenRoster(full)
      .when((roster) => admit(roster, miaLink, SLOTS))
      .thenRefused('capacity_reached');
    givenRoster(full)
      .when((roster) => admit(roster, miaLink, SLOTS + 1))
      .then([admitted(miaLink)]);
  });

  it('D31: an agency without slots enrolls nobody', () => {
    givenRoster([])
      .when((roster) => admit(roster, miaLink, 0))
      .thenRefused('capacity_reached');
  });

  it('D31: counts the linking of an import too', () => {
    givenRoster([...full, imported(mia, miaUser)])
      .when((roster) => admit(roster, miaLink, SLOTS))
      .thenRefused('capacity_reached');
  });

  it('rule 3: a retry passes, however full it is', () => {
    givenRoster([...full.slice(1), admitted(miaLink)])
      .when((roster) => admit(roster, miaLink, 0))
      .thenNothing();
  });

  it('D31: does not stop the import of the roster', () => {
    givenRoster(full)
      .when((roster) =>
        admitMembers(roster, [{ userId: miaUser, invited: null, newId: mia }], { agencyId: agency, epoch: 1 }),
      )
      .then([imported(mia, miaUser)]);
  });

  it.each(['failed', 'cancelled', 'detached', 'transferred'] as const)('D31: does not count the %s', (reason) => {
    const past = [...full.slice(1), admitted(miaInvited)];
    givenRoster(past)
      .when((roster) => release(roster, mia, reason, 0))
      .then([released(mia, reason)]);
    givenRoster([...past, released(mia, reason)])
      .when((roster) => admit(roster, request(eve, 'ext-eve', eveUser), SLOTS))
      .then([admitted(request(eve, 'ext-eve', eveUser))]);
  });

  it('a seat is released once', () => {
    givenRoster([admitted(miaLink), released(mia, 'cancelled')])
      .when((roster) => release(roster, mia, 'transferred', 0))
      .thenNothing();
  });

  it('an import or an unknown creator has no seat to release', () => {
    givenRoster([imported(mia, miaUser)])
      .when((roster) => release(roster, mia, 'transferred', 0))
      .thenNothing();
    givenRoster([])
      .when((roster) => release(roster, mia, 'cancelled', 0))
      .thenNothing();
  });

  it('D31: one that succeeds or returns after all counts again', () => {
    const past = [admitted(miaLink), released(mia, 'transferred')];
    givenRoster(past)
      .when((roster) => countAgain(roster, mia))
      .then([seatReservedAgain(mia)]);
    expect(rosterOf(past).counted).toBe(0);
    expect(rosterOf([...past, seatReservedAgain(mia)]).counted).toBe(1);
    givenRoster([...past, seatReservedAgain(mia)])
      .when((roster) => countAgain(roster, mia))
      .thenNothing();
  });

  const enrollmentRetried = (creatorId: CreatorId, revision: number): RosterEvent => ({
    type: 'roster.enrollmentRetried.v1',
    data: { creatorId, revision },
  });

  it('D28, D31: a refused one reserves a seat again, if one is free', () => {
    const past = [admitted(miaInvited), released(mia, 'failed')];
    givenRoster(past)
      .when((roster) => reserveSeatForRetry(roster, mia, 3, SLOTS, 0))
      .then([enrollmentRetried(mia, 3)]);
    givenRoster(past)
      .when((roster) => reserveSeatForRetry(roster, mia, 3, 0, 0))
      .thenRefused('capacity_reached');
    givenRoster([...past, enrollmentRetried(mia, 3)])
      .when((roster) => reserveSeatForRetry(roster, mia, 3, 0, 0))
      .thenNothing();
    expect(rosterOf([...past, enrollmentRetried(mia, 3)]).counted).toBe(1);
  });

  it('D31: the refusal before it releases no seat of a later try, however late it is processed', () => {
    for (const past of [[admitted(miaInvited)], [admitted(miaInvited), released(mia, 'failed')]]) {
      const again = [...past, enrollmentRetried(mia, 3)];
      expect(rosterOf(again).counted).toBe(1);
      givenRoster(again)
        .when((roster) => release(roster, mia, 'failed', 3))
        .thenNothing();
      givenRoster(again)
        .when((roster) => release(roster, mia, 'failed', 4))
        .then([released(mia, 'failed')]);
    }
  });

  it('D31: an import that returns counts no more than before', () => {
    givenRoster([imported(mia, miaUser)])
      .when((roster) => countAgain(roster, mia))
      .thenNothing();
    givenRoster([])
      .when((roster) => countAgain(roster, mia))
      .thenNothing();
    expect(rosterOf([imported(mia, miaUser), seatReservedAgain(mia)]).counted).toBe(0);
  });
});

const detached = (creatorId: CreatorId, userId: UserId, keptBy: CreatorId): RosterEvent => ({
  type: 'roster.inviteeDetached.v1',
  data: { creatorId, userId, keptBy },
});

describe('admitting the members of the native roster', () => {
  const member = (userId: UserId, newId: CreatorId, invited: CreatorId | null = null): RosterMember => ({
    userId,
    newId,
    invited,
  });
  const admitAll =
    (...members: RosterMember[]) =>
    (roster: Roster) =>
      admitMembers(roster, members, { agencyId: agency, epoch: 2 });

  it('D35: imports each member once, under its automatic external id and the present binding', () => {
    const events = [imported(mia, miaUser, 2), imported(eve, eveUser, 2)];
    givenRoster([])
      .when(admitAll(member(miaUser, mia), member(eveUser, eve)))
      .then(events);
    givenRoster(events)
      .when(admitAll(member(miaUser, zoe), member(eveUser, zoe)))
      .thenNothing();
  });

  it('a member that was enrolled is not imported', () => {
    givenRoster([admitted(miaLink)])
      .when(admitAll(member(miaUser, eve)))
      .thenNothing();
  });

  it('D35: an invited user is its creator, and never imported as another', () => {
    givenRoster([admitted(miaInvited)])
      .when(admitAll(member(miaUser, eve, mia)))
      .then([userLinked(mia, miaUser)]);
    givenRoster([admitted(miaInvited), userLinked(mia, miaUser)])
      .when(admitAll(member(miaUser, eve, mia)))
      .thenNothing();
  });

  it('D35: a reference to no creator of this workspace is ignored', () => {
    givenRoster([])
      .when(admitAll(member(miaUser, mia, zoe)))
      .then([imported(mia, miaUser, 2)]);
  });

  it('a reference to a creator that has a user is ignored', () => {
    for (const past of [
      [admitted(miaLink)],
      [imported(mia, miaUser)],
      [admitted(miaInvited), userLinked(mia, miaUser)],
    ]) {
      givenRoster(past)
        .when(admitAll(member(eveUser, eve, mia)))
        .then([imported(eve, eveUser, 2)]);
    }
  });

  it('D74: a listed user that accepted an invitation and is a creator already stays it; this goes before D35', () => {
    const past = [imported(eve, eveUser), admitted(miaInvited)];
    givenRoster(past)
      .when(admitAll(member(eveUser, zoe, mia)))
      .then([detached(mia, eveUser, eve)]);
    givenRoster([...past, detached(mia, eveUser, eve)])
      .when(admitAll(member(eveUser, zoe, mia), member(miaUser, zoe, mia)))
      .then([imported(zoe, miaUser, 2)]);
  });

  it('of two members that claim one invitation, the first is the creator', () => {
    givenRoster([admitted(miaInvited)])
      .when(admitAll(member(miaUser, eve, mia), member(eveUser, eve, mia)))
      .then([userLinked(mia, miaUser), imported(eve, eveUser, 2)]);
  });

  it('a member that is listed twice is imported once', () => {
    givenRoster([])
      .when(admitAll(member(miaUser, mia), member(miaUser, eve)))
      .then([imported(mia, miaUser, 2)]);
  });

  it('D31: none of these counts, except what counted before', () => {
    const events = [admitted(miaInvited), userLinked(mia, miaUser), imported(eve, eveUser)];
    expect(rosterOf(events).counted).toBe(1);
  });
});

describe('the native user of an invited creator', () => {
  const link = (creatorId: CreatorId, userId: UserId) => (roster: Roster) => linkUser(roster, creatorId, userId);

  it('is linked once', () => {
    givenRoster([admitted(miaInvited)])
      .when(link(mia, miaUser))
      .then([userLinked(mia, miaUser)]);
    givenRoster([admitted(miaInvited), userLinked(mia, miaUser)])
      .when(link(mia, miaUser))
      .thenNothing();
  });

  it('is no other creator afterwards', () => {
    givenRoster([admitted(miaInvited), userLinked(mia, miaUser)])
      .when(link(mia, eveUser))
      .thenNothing();
    givenRoster([admitted(miaLink)])
      .when(link(mia, eveUser))
      .thenNothing();
  });

  it('D74: a user that is a creator already stays that one, and the invited one is detached, once', () => {
    for (const known of [admitted(request(eve, 'ext-eve', eveUser)), imported(eve, eveUser)]) {
      const past = [known, admitted(miaInvited)];
      givenRoster(past)
        .when(link(mia, eveUser))
        .then([detached(mia, eveUser, eve)]);
      givenRoster([...past, detached(mia, eveUser, eve)])
        .when(link(mia, eveUser))
        .thenNothing();
    }
  });

  it('D74, D25, D31: a detached one gets no user, no longer counts, and keeps its external id', () => {
    const past = [admitted(request(eve, 'ext-eve', eveUser)), admitted(miaInvited), detached(mia, eveUser, eve)];
    givenRoster(past).when(link(mia, miaUser)).thenNothing();
    givenRoster(past)
      .when((roster) => countAgain(roster, mia))
      .thenNothing();
    const roster = rosterOf(past);
    expect(roster.counted).toBe(1);
    expect(roster.byUser.get(eveUser)).toBe(eve);
    expect(roster.byExternalId.get(digestOf('ext-mia'))).toBe(mia);
    givenRoster(past)
      .when((state) => admit(state, miaInvited, SLOTS))
      .thenNothing();
    givenRoster(past)
      .when((state) => admit(state, request(zoe, 'ext-mia', zoeUser, 'another body'), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('is not linked to a creator of another workspace', () => {
    givenRoster([]).when(link(mia, miaUser)).thenNothing();
  });

  it('leaves external id and seat as they were', () => {
    const roster = rosterOf([admitted(miaInvited), userLinked(mia, miaUser)]);
    expect(roster.counted).toBe(1);
    expect(roster.byExternalId.get(digestOf('ext-mia'))).toBe(mia);
    expect(roster.byUser.get(miaUser)).toBe(mia);
  });
});
