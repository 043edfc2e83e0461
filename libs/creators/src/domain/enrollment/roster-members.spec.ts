import { describe, expect, it } from '@jest/globals';
import { type CreatorId, type UserId } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import type { RosterEvent } from './roster.events.js';
import {
  admit,
  admitted,
  eve,
  givenRoster,
  imported,
  miaInvited,
  miaLink,
  request,
  rosterOf,
  SLOTS,
  userLinked,
  zoe,
  zoeUser,
} from './roster.fixtures.js';
import { type Roster } from './roster.js';
import { digestOf } from './roster-entry.js';
import { admitMembers, linkUser, type RosterMember } from './roster-members.js';
import { countAgain } from './roster-seats.js';

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
