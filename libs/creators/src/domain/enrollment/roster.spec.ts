import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CreatorId, DomainError, derivedId, ERASED, type UserId } from '#kernel';
import { folded, given } from '#testing';
import { agency, eveUser, invitee, mia, miaUser, submitted } from '../creator.fixtures.js';
import { ErasureHashes } from '../membership/erasure-hashes.js';
import type { RosterEvent } from './roster.events.js';
import {
  type AdmissionRequest,
  admitMembers,
  admit as admitWith,
  automaticExternalId,
  countAgain,
  ENROLLMENTS_PER_SLOT,
  type EnrollmentKeys,
  enrolledBefore as enrolledBeforeWith,
  eraseFromRoster,
  linkUser,
  type Roster,
  type RosterMember,
  release,
  reserveSeatForRetry,
  rosterDecider,
} from './roster.js';

const eve = derivedId('creator', 'eve');
const zoe = derivedId('creator', 'zoe');
const zoeUser = '0a000000-0000-4000-8000-000000000003' as UserId;
const SLOTS = 2;
const workspace = derivedId('workspace', 'ag_lumen');
const hashes = new ErasureHashes(Buffer.alloc(32, 7));

const admit = (roster: Roster, asked: AdmissionRequest, totalSlots: number): RosterEvent[] =>
  admitWith(roster, asked, totalSlots, hashes.of(workspace, asked.personal));
const enrolledBefore = (roster: Roster, keys: Omit<EnrollmentKeys, 'hashes'>) =>
  enrolledBeforeWith(roster, { ...keys, hashes: hashes.of(workspace, keys) });

const request = (
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

const admitted = (data: AdmissionRequest): RosterEvent => ({ type: 'roster.creatorAdmitted.v1', data });
const replaced = (data: AdmissionRequest): RosterEvent => ({ type: 'roster.externalIdReplaced.v1', data });
const imported = (creatorId: CreatorId, userId: UserId, epoch = 1): RosterEvent => ({
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
const userLinked = (creatorId: CreatorId, userId: UserId): RosterEvent => ({
  type: 'roster.nativeUserLinked.v1',
  data: { creatorId, userId },
});
const released = (creatorId: CreatorId, reason: 'failed' | 'cancelled' | 'detached' | 'transferred'): RosterEvent => ({
  type: 'roster.creatorReleased.v1',
  data: { creatorId, reason },
});
const detached = (creatorId: CreatorId, userId: UserId, keptBy: CreatorId): RosterEvent => ({
  type: 'roster.inviteeDetached.v1',
  data: { creatorId, userId, keptBy },
});
const seatReservedAgain = (creatorId: CreatorId): RosterEvent => ({
  type: 'roster.seatReservedAgain.v1',
  data: { creatorId },
});

const givenRoster = (past: readonly RosterEvent[]) => given(rosterDecider, past);
const rosterOf = (past: readonly RosterEvent[]) => folded(rosterDecider, past);

const miaLink = request(mia, 'ext-mia', miaUser);
const miaInvited = request(mia, 'ext-mia', null);

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

  it('a place is given back once', () => {
    givenRoster([admitted(miaLink), released(mia, 'cancelled')])
      .when((roster) => release(roster, mia, 'transferred', 0))
      .thenNothing();
  });

  it('an import or an unknown creator has no place to give back', () => {
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

  it('D28, D31: one that was refused takes a place again, if there is room', () => {
    const past = [admitted(miaInvited), released(mia, 'failed')];
    givenRoster(past)
      .when((roster) => reserveSeatForRetry(roster, mia, 3, SLOTS))
      .then([enrollmentRetried(mia, 3)]);
    givenRoster(past)
      .when((roster) => reserveSeatForRetry(roster, mia, 3, 0))
      .thenRefused('capacity_reached');
    givenRoster([...past, enrollmentRetried(mia, 3)])
      .when((roster) => reserveSeatForRetry(roster, mia, 3, 0))
      .thenNothing();
    expect(rosterOf([...past, enrollmentRetried(mia, 3)]).counted).toBe(1);
  });

  it('D31: the refusal before it gives back no place of a later try, however late it is heard of', () => {
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

  it('D35: a reference to nobody of this workspace is none', () => {
    givenRoster([])
      .when(admitAll(member(miaUser, mia, zoe)))
      .then([imported(mia, miaUser, 2)]);
  });

  it("a reference to a creator that has its user is none: nobody takes another's place", () => {
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

  it('D31: none of that is counted but what was before', () => {
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

  it('is nobody else afterwards', () => {
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

  it('D74, D25, D31: a detached one gets no user any more, counts no more, and keeps its external id', () => {
    const past = [admitted(request(eve, 'ext-eve', eveUser)), admitted(miaInvited), detached(mia, eveUser, eve)];
    givenRoster(past).when(link(mia, miaUser)).thenNothing();
    givenRoster(past)
      .when((roster) => countAgain(roster, mia))
      .thenNothing();
    const roster = rosterOf(past);
    expect(roster.counted).toBe(1);
    expect(roster.byUser.get(eveUser)).toBe(eve);
    expect(roster.byExternalId.get('ext-mia')).toBe(mia);
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

  it('leaves the external id and the place under the cap as they were', () => {
    const roster = rosterOf([admitted(miaInvited), userLinked(mia, miaUser)]);
    expect(roster.counted).toBe(1);
    expect(roster.byExternalId.get('ext-mia')).toBe(mia);
    expect(roster.byUser.get(miaUser)).toBe(mia);
  });
});

describe('laws of the roster', () => {
  const users = [miaUser, eveUser, zoeUser, null];
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('enroll' as const),
      user: fc.constantFrom(...users),
      external: fc.integer({ min: 0, max: 4 }),
      body: fc.integer({ min: 0, max: 2 }),
    }),
    fc.record({ kind: fc.constant('read' as const), user: fc.constantFrom(miaUser, eveUser, zoeUser), of: fc.nat(9) }),
    fc.record({
      kind: fc.constant('accept' as const),
      user: fc.constantFrom(miaUser, eveUser, zoeUser),
      of: fc.nat(9),
    }),
    fc.record({ kind: fc.constantFrom('release' as const, 'countAgain' as const), of: fc.nat(9) }),
  );

  it('D74: external ids and users have one creator each, nothing is freed, and the count is right', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let roster = rosterDecider.initial;
        steps.forEach((taken, index) => {
          const before = roster;
          const creatorId = derivedId('creator', index);
          const some = [...roster.creators.keys()][('of' in taken ? taken.of : 0) % Math.max(1, roster.creators.size)];
          const decide = (): RosterEvent[] => {
            if (taken.kind === 'enroll') {
              const { user, external, body } = taken;
              return admit(roster, request(creatorId, `ext-${external}`, user, `${body}${user}`), SLOTS);
            }
            if (taken.kind === 'read') {
              const members = [{ userId: taken.user, invited: some ?? null, newId: creatorId }];
              return admitMembers(roster, members, { agencyId: agency, epoch: 1 });
            }
            if (some === undefined) return [];
            if (taken.kind === 'accept') return linkUser(roster, some, taken.user);
            return taken.kind === 'release' ? release(roster, some, 'cancelled', 0) : countAgain(roster, some);
          };
          try {
            for (const event of decide()) roster = rosterDecider.evolve(roster, event, index);
            expect(decide()).toEqual([]);
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/external_id_conflict|capacity_reached/) });
          }
          for (const [externalId, holder] of before.byExternalId)
            expect(roster.byExternalId.get(externalId)).toBe(holder);
          for (const [userId, holder] of before.byUser) expect(roster.byUser.get(userId)).toBe(holder);
          expect(roster.byUser.toSet().size).toBe(roster.byUser.size);
          const withUser = [...roster.creators.values()].filter(({ userId }) => userId !== null);
          expect(new Set(withUser.map(({ userId }) => userId)).size).toBe(withUser.length);
          for (const { creatorId: id, userId } of withUser) expect(roster.byUser.get(userId as UserId)).toBe(id);
          expect(withUser.some(({ isDetached }) => isDetached)).toBe(false);
          expect(roster.counted).toBe(roster.creators.count(({ counted }) => counted));
        });
      }),
      { numRuns: 200 },
    );
  });

  it('events of creators that were never admitted add up to nothing', () => {
    const past = [userLinked(mia, miaUser), released(mia, 'failed'), seatReservedAgain(mia)];
    expect(rosterOf(past).creators.size).toBe(0);
    const newer = { type: 'roster.creatorRenamed.v1', data: { creatorId: mia } } as unknown as RosterEvent;
    expect(rosterOf([newer]).creators.size).toBe(0);
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
