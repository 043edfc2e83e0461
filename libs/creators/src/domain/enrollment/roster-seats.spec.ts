import { describe, expect, it } from '@jest/globals';
import { type CreatorId, derivedId } from '#kernel';
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
  released,
  request,
  rosterOf,
  SLOTS,
  seatReservedAgain,
} from './roster.fixtures.js';
import { admitMembers } from './roster-members.js';
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
