import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CreatorId, DomainError, derivedId, derivedUuid, ERASED, memorySizeOf, type UserId } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import { MAX_EXTERNAL_ID_LENGTH } from '../identity/identity.js';
import { ErasureHashes } from '../membership/erasure.js';
import {
  admit,
  admitted,
  eve,
  hashes,
  imported,
  released,
  replaced,
  request,
  rosterOf,
  SLOTS,
  seatReservedAgain,
  userLinked,
  workspace,
  zoe,
  zoeUser,
} from './roster.fixtures.js';
import { type Roster, type RosterEvent, rosterDecider } from './roster.js';
import { type AdmissionRequest, admitMembers, automaticExternalId, linkUser } from './roster-admission.js';
import { eraseFromRoster, eraseFromRosterAgain } from './roster-erasure.js';
import { countAgain, release } from './roster-seats.js';

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
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        let roster = rosterDecider.initial;
        steps.forEach((taken, index) => {
          const before = roster;
          const creatorId = derivedId('creator', index);
          const some = idsOf(roster)[('of' in taken ? taken.of : 0) % Math.max(1, roster.creators.size)];
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
          for (const [externalId, holder] of before.byExternalId.entries())
            expect(roster.byExternalId.get(externalId)).toBe(holder);
          for (const [userId, holder] of before.byUser.entries()) expect(roster.byUser.get(userId)).toBe(holder);
          expect(new Set([...roster.byUser.entries()].map(([, id]) => id)).size).toBe(roster.byUser.size);
          const entries = idsOf(roster).flatMap((id) => roster.creators.get(id) ?? []);
          const withUser = entries.filter(({ userId }) => userId !== null);
          expect(new Set(withUser.map(({ userId }) => userId)).size).toBe(withUser.length);
          for (const { creatorId: id, userId } of withUser) expect(roster.byUser.get(userId as UserId)).toBe(id);
          expect(withUser.some(({ isDetached }) => isDetached)).toBe(false);
          expect(roster.counted).toBe(entries.filter(({ counted }) => counted).length);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('events of creators that were never admitted add up to nothing', () => {
    const past = [userLinked(mia, miaUser), released(mia, 'failed'), seatReservedAgain(mia)];
    expect(rosterOf(past).creators.size).toBe(0);
    const newer = { type: 'roster.creatorRenamed.v1', data: { creatorId: mia } } as unknown as RosterEvent;
    expect(rosterOf([newer]).creators.size).toBe(0);
  });
});

/** Each creator has an external id. */
const idsOf = (roster: Roster): CreatorId[] => [...new Set([...roster.byExternalId.entries()].map(([, id]) => id))];

describe('D72: a creator that was erased', () => {
  const order = request(mia, 'ext-mia', miaUser);
  const erasure = (past: readonly RosterEvent[], roster = rosterOf(past)): RosterEvent[] => {
    const admissions = past.flatMap(({ data }) => ('personal' in data ? [data] : [])).toReversed();
    return eraseFromRoster(roster, mia, { hashes, workspaceId: workspace, admissions });
  };
  const erased = (past: readonly RosterEvent[]): RosterEvent[] => [...past, ...erasure(past)];
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
      expect(erasure(past, roster)).toEqual([]);
    });

    it('is the same roster before and after a restart, without a text of the creator', () => {
      const [before, after] = readings.map(([, asRead]) => rosterOf(asRead(erased(past))));
      expect(before).toEqual(after);
      expect(JSON.stringify([before?.creators, before?.byExternalId, before?.erased])).not.toContain('ext-mia');
    });
  });

  it.each(readings)('keeps %s the automatic external id too that its own has replaced', (_, asRead) => {
    const roster = rosterOf(asRead(erased([imported(mia, miaUser), replaced(order)])));
    expect(answer(roster, request(zoe, automaticExternalId(miaUser), eveUser))).toBe('external_id_conflict');
  });

  it('is not imported again', () => {
    const roster = rosterOf(erased([imported(mia, miaUser)]));
    expect(
      admitMembers(roster, [{ userId: miaUser, invited: null, newId: zoe }], { agencyId: agency, epoch: 1 }),
    ).toEqual([]);
    expect(answer(roster, request(zoe, automaticExternalId(miaUser), miaUser))).toBe('external_id_conflict');
  });

  it('conflicts if it was erased before hashes were stored, an imported one too', () => {
    for (const past of [[admitted(order)], [imported(mia, miaUser)]]) {
      const roster = rosterOf(unreadable(past));
      expect(answer(roster, request(zoe, 'ext-mia', miaUser))).toBe('external_id_conflict');
      expect(erasure(past, roster)).toEqual([]);
    }
  });

  it('D101: is erased again in a restored log, where it was still invited, and answers the same', () => {
    const invited = [admitted(request(mia, 'ext-mia', null))];
    const recorded = [userLinked(mia, miaUser), ...erasure([...invited, userLinked(mia, miaUser)])];
    const restored = unreadable(invited);
    const again = eraseFromRosterAgain(rosterOf(restored), mia, recorded);
    expect(again).toEqual(recorded);
    const roster = rosterOf([...restored, ...again]);
    expect(answer(roster, request(zoe, 'ext-mia', null))).toBe('not_found');
    expect(answer(roster, request(zoe, 'ext-mia', eveUser, 'another body'))).toBe('external_id_conflict');
    expect(answer(roster, request(zoe, 'ext-new', miaUser))).toBe('not_found');
    expect(eraseFromRosterAgain(roster, mia, recorded)).toEqual([]);
    // Whose user the log knows already, and of whom it knows nothing.
    expect(eraseFromRosterAgain(rosterOf([...invited, userLinked(mia, miaUser)]), mia, recorded)).toHaveLength(1);
    expect(eraseFromRosterAgain(rosterOf([]), mia, recorded)).toEqual([]);
  });

  it('leaves hashes that reveal nothing without the key, or in another workspace', () => {
    const text = JSON.stringify(erased([admitted(order)]).at(-1));
    for (const plain of ['ext-mia', 'body of ext-mia']) expect(text).not.toContain(plain);
    const other = derivedId('workspace', 'ag_nova');
    expect(hashes.externalId(other, 'ext-mia')).not.toBe(hashes.externalId(workspace, 'ext-mia'));
    expect(new ErasureHashes(Buffer.alloc(32, 8)).externalId(workspace, 'ext-mia')).not.toBe(
      hashes.externalId(workspace, 'ext-mia'),
    );
  });
});

const MIB = 1_024 * 1_024;

/** With texts of the greatest length, in the characters that take most. */
const enrollment = (creatorId: CreatorId, userId: UserId | null): RosterEvent =>
  admitted(request(creatorId, `${creatorId}${'🦊'.repeat(MAX_EXTERNAL_ID_LENGTH - creatorId.length)}`, userId));

it('D88: 25,000 ended and 5,000 living enrollments take less than a quarter of what rosters may take in memory', () => {
  let roster = rosterDecider.initial;
  for (let n = 0; n < 30_000; n++) {
    const creatorId = derivedId('creator', n);
    const events =
      n < 5_000
        ? [enrollment(creatorId, derivedUuid('user', n) as UserId)]
        : [enrollment(creatorId, null), released(creatorId, 'failed')];
    roster = events.reduce((state, event) => rosterDecider.evolve(state, event, n), roster);
  }
  expect(roster.creators.size).toBe(30_000);
  expect(memorySizeOf(roster)).toBeLessThan((24 / 4) * MIB);
});
