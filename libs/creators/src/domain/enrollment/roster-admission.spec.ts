import { describe, expect, it } from '@jest/globals';
import type { UserId } from '#kernel';
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
import {
  automaticExternalId,
  type EnrollmentKeys,
  enrolledBefore as enrolledBeforeWith,
  requireValid,
} from './roster-admission.js';
import { digestOf } from './roster-entry.js';
import { release } from './roster-seats.js';

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

  describe('D25: under the external id of a refused enrollment that DELETE ended', () => {
    const past = [admitted(miaInvited), released(mia, 'failed')];
    const ended = { creatorId: mia, fingerprint: digestOf(miaInvited.personal.fingerprint), revision: 3 };
    const again = (userId: UserId | null, asked = request(eve, 'ext-mia', userId, 'another')) => ({
      asked,
      when: (roster: Roster) => admit(roster, asked, SLOTS, 0, ended),
      admitted: admitted({ ...asked, creatorId: mia, endedAtRevision: 3 }),
    });

    it.each([
      ['an invitation', null],
      ['a link', miaUser],
    ])('%s with another payload is admitted as the same creator, and counted', (_via, userId) => {
      const other = again(userId);
      givenRoster(past).when(other.when).then([other.admitted]);
      const roster = rosterOf([...past, other.admitted]);
      expect([roster.counted, roster.byExternalId.get(digestOf('ext-mia'))]).toEqual([1, mia]);
      givenRoster([...past, other.admitted])
        .when((current) => admit(current, other.asked, SLOTS))
        .thenNothing();
    });

    it('the refused payload is a repeat until then, and conflicts after that', () => {
      givenRoster(past)
        .when((roster) => admit(roster, miaInvited, SLOTS))
        .thenNothing();
      givenRoster([...past, again(null).admitted])
        .when((roster) => admit(roster, miaInvited, SLOTS))
        .thenRefused('external_id_conflict');
    });

    it('of two other payloads the second one conflicts', () => {
      givenRoster([...past, again(null).admitted])
        .when(again(null, request(zoe, 'ext-mia', null, 'a third')).when)
        .thenRefused('external_id_conflict');
    });

    it('a user that is another creator conflicts: it has an external id', () => {
      givenRoster([...past, imported(zoe, miaUser)])
        .when(again(miaUser).when)
        .thenRefused('external_id_conflict');
    });

    it('it needs a free seat, and what released the earlier one does not release it', () => {
      const { asked, admitted: event } = again(null);
      givenRoster(past)
        .when((roster) => admit(roster, asked, 0, 0, ended))
        .thenRefused('capacity_reached');
      for (const reason of ['failed', 'cancelled'] as const) {
        givenRoster([...past, event])
          .when((roster) => release(roster, mia, reason, 3))
          .thenNothing();
        givenRoster([...past, event])
          .when((roster) => release(roster, mia, reason, 4))
          .then([released(mia, reason)]);
      }
    });
  });

  it('a conflict is reported before the cap', () => {
    givenRoster([admitted(miaLink)])
      .when((roster) => admit(roster, request(eve, 'ext-mia', eveUser, 'another'), 0))
      .thenRefused('external_id_conflict');
  });
});

describe("D98: a body that today's rules refuse", () => {
  const problems = [{ field: 'email', message: 'is odd' }];
  const { externalId, fingerprint } = miaInvited.personal;
  const judged =
    (roster: Roster, changes: object = {}) =>
    () =>
      requireValid(roster, { externalId, fingerprint, problems, ...changes });

  it('is refused with all of its problems where it is new, and where it differs from what was accepted', () => {
    const refusal = expect.objectContaining({ code: 'invalid_request', fields: problems });
    expect(judged(rosterOf([]))).toThrow(refusal);
    expect(judged(rosterOf([admitted(miaInvited)]), { fingerprint: 'another' })).toThrow(refusal);
    expect(judged(rosterOf([admitted(miaInvited)]), { externalId: 'another' })).toThrow(refusal);
    expect(judged(rosterOf([imported(mia, miaUser)]), { externalId: automaticExternalId(miaUser) })).toThrow(refusal);
  });

  it('is a repeat where that very body was accepted before', () => {
    expect(judged(rosterOf([admitted(miaInvited)]))).not.toThrow();
    expect(judged(rosterOf([admitted(miaInvited), released(mia, 'cancelled')]))).not.toThrow();
  });

  it('that has no problems passes', () => {
    expect(judged(rosterOf([]), { problems: [] })).not.toThrow();
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
