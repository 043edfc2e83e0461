import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type CreatorId, derivedId, type UserId } from '#kernel';
import { agency, eveUser, mia, miaUser } from '../creator.fixtures.js';
import type { RosterEvent } from './roster.events.js';
import {
  admit,
  released,
  request,
  rosterOf,
  SLOTS,
  seatReservedAgain,
  userLinked,
  zoeUser,
} from './roster.fixtures.js';
import { type Roster, rosterDecider } from './roster.js';
import { admitMembers, linkUser } from './roster-members.js';
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
