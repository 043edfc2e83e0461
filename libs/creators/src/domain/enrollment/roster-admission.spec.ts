import { describe, expect, it } from '@jest/globals';
import { eveUser, mia, miaUser } from '../creator.fixtures.js';
import {
  admit,
  admitted,
  eve,
  givenRoster,
  hashes,
  imported,
  miaInvited,
  miaLink,
  released,
  replaced,
  request,
  rosterOf,
  SLOTS,
  userLinked,
  workspace,
  zoe,
} from './roster.fixtures.js';
import { type Roster } from './roster.js';
import { type EnrollmentKeys, enrolledBefore as enrolledBeforeWith } from './roster-admission.js';
import { automaticExternalId } from './roster-members.js';

const enrolledBefore = (roster: Roster, keys: Omit<EnrollmentKeys, 'hashes'>) =>
  enrolledBeforeWith(roster, { ...keys, hashes: hashes.of(workspace, keys) });

describe('admitting an enrollment', () => {
  it.each([
    ['a link', miaLink],
    ['an invitation', miaInvited],
  ])('reserves external id, user and seat of %s in one event, with all that enrolling needs', (_via, order) => {
    givenRoster([])
      .when((roster) => admit(roster, order, SLOTS))
      .then([admitted(order)]);
    expect(rosterOf([admitted(order)]).counted).toBe(1);
  });

  it.each([
    ['a link', miaLink],
    ['an invitation', miaInvited],
  ])('rule 3: the same payload of %s is the same creator', (_via, order) => {
    const retry = { ...order, creatorId: eve };
    givenRoster([admitted(order)])
      .when((roster) => admit(roster, retry, SLOTS))
      .thenNothing();
    expect(enrolledBefore(rosterOf([admitted(order)]), { ...order.personal, userId: order.userId })).toBe(mia);
  });

  it('rule 3: a changed payload under the same external id conflicts', () => {
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-mia', miaUser, 'another body'), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('rule 3: an invitation under the external id of a link conflicts, and the other way round', () => {
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-mia', null, 'invite'), SLOTS))
      .thenRefused('external_id_conflict');
    givenRoster([admitted(miaInvited)])
      .when((roster) => admit(roster, request(eve, 'ext-mia', miaUser, 'link'), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('rule 4: a user that was enrolled under another external id conflicts', () => {
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-2', miaUser), SLOTS))
      .thenRefused('external_id_conflict');
    givenRoster([admitted(miaInvited), userLinked(mia, miaUser)])
      .when((roster) => admit(roster, request(eve, 'ext-2', miaUser), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('D25: external ids are case-sensitive', () => {
    const other = request(eve, 'EXT-MIA', eveUser);
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, other, SLOTS))
      .then([admitted(other)]);
  });

  it.each(['failed', 'cancelled', 'detached', 'transferred'] as const)(
    'D25: the external id of a %s creator is not free',
    (reason) => {
      const past = [admitted(miaInvited), released(mia, reason)];
      givenRoster(past)
        .when((roster) => admit(roster, request(eve, 'ext-mia', eveUser, 'another'), SLOTS))
        .thenRefused('external_id_conflict');
      expect(enrolledBefore(rosterOf(past), { ...miaInvited.personal, userId: null })).toBe(mia);
    },
  );

  it('a conflict is reported before the cap', () => {
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-mia', eveUser, 'another'), 0))
      .thenRefused('external_id_conflict');
  });
});

describe('enrolling a creator that the roster imported', () => {
  const past = [imported(mia, miaUser)];

  it('rule 4: keeps its id and replaces its automatic external id', () => {
    const order = request(eve, 'ext-mia', miaUser);
    givenRoster(past)
      .when((roster) => admit(roster, order, SLOTS))
      .then([replaced({ ...order, creatorId: mia })]);
    expect(rosterOf([...past, replaced({ ...order, creatorId: mia })]).byUser.get(miaUser)).toBe(mia);
  });

  it('rule 4: only once', () => {
    givenRoster([...past, replaced(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-2', miaUser), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('a retry of that is the same creator', () => {
    givenRoster([...past, replaced(miaLink)])
      .when((roster) => admit(roster, miaLink, SLOTS))
      .thenNothing();
  });

  it('D25: may keep its automatic external id', () => {
    const order = request(mia, automaticExternalId(miaUser), miaUser);
    givenRoster(past)
      .when((roster) => admit(roster, order, SLOTS))
      .then([replaced(order)]);
    givenRoster([...past, replaced(order)])
      .when((roster) => admit(roster, order, SLOTS))
      .thenNothing();
  });

  it('D25: the automatic external id stays its own after it was replaced', () => {
    givenRoster([...past, replaced(miaLink)])
      .when((roster) => admit(roster, request(mia, automaticExternalId(miaUser), miaUser), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it("rule 4: an external id that is another creator's conflicts", () => {
    givenRoster([...past, admitted(request(eve, 'ext-eve', eveUser))])
      .when((roster) => admit(roster, request(zoe, 'ext-eve', miaUser, 'another'), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it("another user's automatic external id conflicts", () => {
    givenRoster([...past, imported(eve, eveUser)])
      .when((roster) => admit(roster, request(zoe, automaticExternalId(eveUser), miaUser), SLOTS))
      .thenRefused('external_id_conflict');
  });

  it('D31: counts from then on', () => {
    expect(rosterOf(past).counted).toBe(0);
    expect(rosterOf([...past, replaced(miaLink)]).counted).toBe(1);
  });
});
