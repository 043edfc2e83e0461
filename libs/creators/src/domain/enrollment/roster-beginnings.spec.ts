import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CommandRunner, ConsistencyToken, DAY, DomainError, derivedId, HOUR, type Instant, newId } from '#kernel';
import { at, FakeClock, InMemoryEventLog, type Past } from '#testing';
import { mia, miaUser } from '../creator.fixtures.js';
import {
  admit,
  admitted,
  givenRoster,
  imported,
  miaInvited,
  miaLink,
  released,
  replaced,
  request,
} from './roster.fixtures.js';
import { type Roster, type RosterEvent, rosterDecider } from './roster.js';
import { ENROLLMENTS_PER_SLOT, LEAST_ENROLLMENTS_PER_DAY, reserveSeatForRetry } from './roster-seats.js';

const SLOTS = 1;
const START: Instant = Date.UTC(2026, 0, 1);

const admission = (n: number) => request(derivedId('creator', n), `ext-${n}`, null);
/** Enrollments that began and ended: they take no seat. */
const ended = (count: number, first = 0): RosterEvent[] =>
  Array.from({ length: count }, (_, n) => admission(first + n)).flatMap((asked) => [
    admitted(asked),
    released(asked.creatorId, 'cancelled'),
  ]);
const startingAt = (instant: Instant, [first, ...rest]: readonly RosterEvent[]): Past<RosterEvent> =>
  first === undefined ? [] : [at(instant, first), ...rest];
const admitMia =
  (slots: number) =>
  (roster: Roster, now: Instant): RosterEvent[] =>
    admit(roster, miaInvited, slots, now);

describe('enrollments of a day (D88)', () => {
  it('a hundred begin, regardless of their outcome; the next one when the first is a day old', () => {
    const past = startingAt(START, ended(LEAST_ENROLLMENTS_PER_DAY));
    expect(LEAST_ENROLLMENTS_PER_DAY).toBe(100);
    givenRoster(past.slice(2))
      .when(admitMia(SLOTS))
      .then([admitted(miaInvited)]);
    givenRoster(past).when(admitMia(SLOTS), START).thenRefused('capacity_reached');
    givenRoster(past)
      .when(admitMia(SLOTS), START + DAY - 1)
      .thenRefused('capacity_reached');
    givenRoster(past)
      .when(admitMia(SLOTS), START + DAY)
      .then([admitted(miaInvited)]);
  });

  it('five times the slots begin, where that is more than a hundred', () => {
    const slots = 22;
    givenRoster(startingAt(START, ended(ENROLLMENTS_PER_SLOT * slots - 1)))
      .when(admitMia(slots))
      .then([admitted(miaInvited)]);
    givenRoster(startingAt(START, ended(ENROLLMENTS_PER_SLOT * slots)))
      .when(admitMia(slots))
      .thenRefused('capacity_reached');
  });

  it('the linking of an import and each retry after a refusal begin one too; an import does not', () => {
    const past = startingAt(START, [...ended(LEAST_ENROLLMENTS_PER_DAY - 1), imported(mia, miaUser)]);
    const retried: RosterEvent = {
      type: 'roster.enrollmentRetried.v1',
      data: { creatorId: admission(0).creatorId, revision: 3 },
    };
    const retry = (roster: Roster, now: Instant) => reserveSeatForRetry(roster, admission(0).creatorId, 3, SLOTS, now);
    const link = (roster: Roster, now: Instant) => admit(roster, miaLink, SLOTS, now);
    givenRoster(past).when(retry).then([retried]);
    givenRoster(past)
      .when(link)
      .then([replaced(miaLink)]);
    givenRoster([...past, retried])
      .when(link)
      .thenRefused('capacity_reached');
    givenRoster([...past, replaced(miaLink)])
      .when(retry)
      .thenRefused('capacity_reached');
  });

  it('a repeat begins nothing, and is never refused for it', () => {
    const past = startingAt(START, [admitted(miaInvited), ...ended(LEAST_ENROLLMENTS_PER_DAY)]);
    givenRoster(past).when(admitMia(SLOTS)).thenNothing();
  });

  it.each([HOUR, 100 * DAY])('D111: what a clock recorded that was %s ms ahead stops nothing', (ahead) => {
    const past = startingAt(START + ahead, ended(LEAST_ENROLLMENTS_PER_DAY));
    givenRoster(past)
      .when(admitMia(SLOTS), START)
      .then([admitted(miaInvited)]);
  });

  it.each([HOUR, 100 * DAY])(
    'D111: what follows counts, and what went before as now, although the roster is %s ms ahead',
    async (ahead) => {
      const clock = new FakeClock(START + ahead);
      const runner = new CommandRunner(new InMemoryEventLog(), clock);
      const roster = newId('workspace');
      const begin = (n: number) =>
        runner.run(rosterDecider, roster, { ...CONTEXT, consistencyToken: new ConsistencyToken() }, (before) => [
          ...admit(before, admission(n), SLOTS, clock.now()),
          released(admission(n).creatorId, 'cancelled'),
        ]);
      await begin(0);
      clock.set(START);
      for (let n = 1; n < LEAST_ENROLLMENTS_PER_DAY; n++) await begin(n);
      await expect(begin(101)).rejects.toMatchObject({ code: 'capacity_reached' });
      clock.set(START + DAY);
      await begin(102);
    },
  );

  it('in no 24 hours more than a hundred begin, and none is refused that may begin', () => {
    const gaps = fc.array(fc.oneof(fc.nat({ max: HOUR }), fc.constantFrom(0, DAY - 1, DAY)), {
      minLength: 150,
      maxLength: 400,
      size: 'max',
    });
    fc.assert(
      fc.property(gaps, (waits) => {
        let roster = rosterDecider.initial;
        let now = START;
        const begun: Instant[] = [];
        for (const [n, wait] of waits.entries()) {
          now += wait;
          const asked = admission(n);
          const recent = begun.filter((instant) => now - instant < DAY).length;
          const events = attempt(() => admit(roster, asked, SLOTS, now));
          expect(events !== undefined).toBe(recent < LEAST_ENROLLMENTS_PER_DAY);
          if (events === undefined) continue;
          begun.push(now);
          for (const event of [...events, released(asked.creatorId, 'failed')]) {
            roster = rosterDecider.evolve(roster, event, now);
          }
        }
        // Nothing older than a day is kept.
        expect(roster.begun.size).toBeLessThanOrEqual(LEAST_ENROLLMENTS_PER_DAY);
      }),
      { numRuns: 20 },
    );
  });
});

const CONTEXT = { actor: 'key:test', correlationId: 'req_1', causationId: null, workspaceId: null } as const;

const attempt = (decide: () => RosterEvent[]): RosterEvent[] | undefined => {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'capacity_reached') return undefined;
    throw error;
  }
};
