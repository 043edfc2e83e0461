import { describe, expect, it } from '@jest/globals';
import { DomainError, derivedId, ERASED } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import { ErasureHashes } from '../membership/erasure-hashes.js';
import type { RosterEvent } from './roster.events.js';
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
  request,
  rosterOf,
  SLOTS,
  userLinked,
  workspace,
  zoe,
} from './roster.fixtures.js';
import {
  type AdmissionRequest,
  admitMembers,
  automaticExternalId,
  type EnrollmentKeys,
  enrolledBefore as enrolledBeforeWith,
  eraseFromRoster,
  type Roster,
} from './roster.js';

const enrolledBefore = (roster: Roster, keys: Omit<EnrollmentKeys, 'hashes'>) =>
  enrolledBeforeWith(roster, { ...keys, hashes: hashes.of(workspace, keys) });

const replaced = (data: AdmissionRequest): RosterEvent => ({ type: 'roster.externalIdReplaced.v1', data });

describe('admitting an enrollment', () => {
  it.each([
    ['a link', miaLink],
    ['an invitation', miaInvited],
  ])('reserves external id, user and place of %s in one event, with all that enrolling needs', (_via, order) => {
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

  it('D25: external ids are told apart by case', () => {
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

  it('a conflict is told before the cap', () => {
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

describe('D72: a creator that was erased', () => {
  const order = request(mia, 'ext-mia', miaUser);
  const erased = (past: readonly RosterEvent[], creatorId = mia): RosterEvent[] => [
    ...past,
    ...eraseFromRoster(rosterOf(past), creatorId, hashes, workspace),
  ];
  /** The same events as they are read once the creator's key is gone. */
  const unreadable = (events: readonly RosterEvent[]): RosterEvent[] =>
    events.map((event): RosterEvent => {
      if (!('personal' in event.data) || event.data.creatorId !== mia) return event;
      const { fingerprint } = event.data.personal;
      const personal = { externalId: ERASED, fingerprint: fingerprint === null ? null : ERASED, submitted: null };
      return { ...event, data: { ...event.data, personal } } as RosterEvent;
    });
  const histories: [string, RosterEvent[]][] = [
    ['linked', [admitted(order)]],
    ['imported and then linked', [imported(mia, miaUser), replaced(order)]],
    ['invited', [admitted(request(mia, 'ext-mia', null)), userLinked(mia, miaUser)]],
  ];
  const readings: [string, (events: RosterEvent[]) => RosterEvent[]][] = [
    ['before a restart', (events) => events],
    ['after a restart', unreadable],
  ];
  const answer = (roster: Roster, asked: AdmissionRequest): unknown => {
    try {
      return admit(roster, asked, 9);
    } catch (error) {
      return error instanceof DomainError ? error.code : error;
    }
  };

  describe.each(histories)('%s', (_, past) => {
    it.each(readings)('answers %s: the same payload is not found, another one conflicts', (__, asRead) => {
      const roster = rosterOf(asRead(erased(past)));
      for (const user of [miaUser, null, eveUser]) {
        expect(answer(roster, request(zoe, 'ext-mia', user))).toBe('not_found');
        expect(answer(roster, request(zoe, 'ext-mia', user, 'another body'))).toBe('external_id_conflict');
      }
      // D83: under a new external id too.
      expect(answer(roster, request(zoe, 'ext-new', miaUser))).toBe('not_found');
      expect(answer(roster, request(eve, 'ext-eve', eveUser))).toHaveLength(1);
      expect(eraseFromRoster(roster, mia, hashes, workspace)).toEqual([]);
    });

    it('is the same roster before and after a restart, without a text of the creator', () => {
      const [before, after] = readings.map(([, asRead]) => rosterOf(asRead(erased(past))));
      expect(before).toEqual(after);
      expect(JSON.stringify([before?.creators, before?.byExternalId, before?.erased])).not.toContain('ext-mia');
    });
  });

  it('is not imported again', () => {
    const roster = rosterOf(erased([imported(mia, miaUser)]));
    expect(
      admitMembers(roster, [{ userId: miaUser, invited: null, newId: zoe }], { agencyId: agency, epoch: 1 }),
    ).toEqual([]);
    expect(answer(roster, request(zoe, automaticExternalId(miaUser), miaUser))).toBe('external_id_conflict');
  });

  it('conflicts where it was erased before hashes were kept, an imported one too', () => {
    for (const past of [[admitted(order)], [imported(mia, miaUser)]]) {
      const roster = rosterOf(unreadable(past));
      expect(answer(roster, request(zoe, 'ext-mia', miaUser))).toBe('external_id_conflict');
      expect(eraseFromRoster(roster, mia, hashes, workspace)).toEqual([]);
    }
  });

  it('leaves hashes that tell nothing without the key, or in another workspace', () => {
    const text = JSON.stringify(erased([admitted(order)]).at(-1));
    for (const plain of ['ext-mia', 'body of ext-mia']) expect(text).not.toContain(plain);
    const other = derivedId('workspace', 'ag_nova');
    expect(hashes.externalId(other, 'ext-mia')).not.toBe(hashes.externalId(workspace, 'ext-mia'));
    expect(new ErasureHashes(Buffer.alloc(32, 8)).externalId(workspace, 'ext-mia')).not.toBe(
      hashes.externalId(workspace, 'ext-mia'),
    );
  });
});
