import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, type Duration, derivedId, HOUR, MINUTE, type OutboundCall, SECOND } from '#kernel';
import { at, type Past } from '#testing';
import { publicDeindexRequest } from '../published/public-deindex-request.js';
import type { DeindexRequestEvent, DeindexSubmission } from './deindex-request.events.js';
import {
  about,
  details,
  dispatching,
  givenRequest,
  type Outcome,
  outcome,
  requested,
  sent,
  stateOf,
  submission,
  uncertain,
  verified,
} from './deindex-request.fixtures.js';
import {
  cancelDeindex,
  type DeindexRequest,
  deindexRequestDecider,
  dispatchDeindex,
  endDeadLetterDeindex,
  isFinished,
  isUnderWay,
  observeSubmission,
  outboundCallOf,
  pollInterval,
  recordOutcomeUnknown,
  rejectDeindex,
  requestDeindex,
} from './deindex-request.js';

const observe =
  (change: Partial<DeindexSubmission> = {}) =>
  (state: DeindexRequest) =>
    observeSubmission(state, submission(change));
const reject = (code: string) => (state: DeindexRequest) => rejectDeindex(state, code);

const ENDS: [string, Past<DeindexRequestEvent>][] = [
  ['completed and verified', [...sent, outcome('completed', verified)]],
  ['rejected', [...sent, outcome('rejected')]],
  ['failed', [...sent, outcome('failed')]],
];

describe('requesting', () => {
  it('records what will be sent, with the URL as personal data', () => {
    givenRequest([])
      .when((state) => requestDeindex(state, details))
      .then([requested]);
  });

  it('D45: the same again is a repeat, in any status; for another case it conflicts', () => {
    for (const past of [[requested], sent, ...ENDS.map(([, end]) => end)]) {
      givenRequest(past)
        .when((state) => requestDeindex(state, { ...details, url: 'https://leaks.example/moved' }))
        .thenNothing();
      givenRequest(past)
        .when((state) => requestDeindex(state, { ...details, caseId: derivedId('case', 'two') }))
        .thenRefused('idempotency_conflict');
    }
  });

  it('is queued: neither submitted nor removed', () => {
    const state = stateOf([at(1_000, requested)]);
    if (state.status === 'unknown') throw new Error('requested');
    expect(publicDeindexRequest(state)).toStrictEqual({
      id: about.requestId,
      case_id: about.caseId,
      creator_id: about.creatorId,
      provider: 'search',
      status: 'queued',
      simulated: false,
      submitted_to_provider: false,
      removal_verified: false,
      created_at: 1_000,
      updated_at: 1_000,
      error_code: null,
    });
  });
});

describe('handing over', () => {
  it('is intended once', () => {
    givenRequest([requested]).when(dispatchDeindex).then([dispatching]);
    for (const past of [sent, [...sent, uncertain], [...sent, outcome('accepted')], ...ENDS.map(([, end]) => end)]) {
      givenRequest(past).when(dispatchDeindex).thenNothing();
    }
    givenRequest([]).when(dispatchDeindex).thenNothing();
  });

  it('no outcome is recorded before the dispatch', () => {
    givenRequest([requested]).when(observe()).thenNothing();
    givenRequest([requested]).when(reject('not_deindexable')).thenNothing();
    givenRequest([requested]).when(recordOutcomeUnknown).thenNothing();
  });
});

describe('cancelling', () => {
  const cancel = (state: DeindexRequest) => cancelDeindex(state, 'membership_ended');

  it('D51: ends a request that was not dispatched', () => {
    const cancelled = outcome('cancelled', { recordedAt: null, errorCode: 'membership_ended' });
    givenRequest([requested]).when(cancel).then([cancelled]);
    expect(stateOf([requested, cancelled])).toMatchObject({ status: 'cancelled', errorCode: 'membership_ended' });
    givenRequest([requested, cancelled]).when(cancel).thenNothing();
    givenRequest([requested, cancelled]).when(dispatchDeindex).thenNothing();
  });

  it('D51: does not change what was submitted, in any status', () => {
    for (const past of [sent, [...sent, uncertain], [...sent, outcome('accepted')], ...ENDS.map(([, end]) => end)]) {
      givenRequest(past).when(cancel).thenNothing();
    }
    givenRequest([]).when(cancel).thenNothing();
  });
});

describe("the provider's record", () => {
  const STATUSES: [DeindexSubmission['status'], Outcome, string][] = [
    ['queued', 'accepted', 'queued'],
    ['submitted', 'submitted', 'submitted'],
    ['removed', 'completed', 'completed'],
    ['rejected', 'rejected', 'rejected'],
    ['failed', 'failed', 'failed'],
  ];

  it.each(STATUSES)('D51: %s is %s', (status, name, shown) => {
    const events = [outcome(name, { submittedToProvider: true, errorCode: 'its own' })];
    givenRequest(sent)
      .when(observe({ status, submittedToProvider: true, errorCode: 'its own' }))
      .then(events);
    expect(stateOf([...sent, ...events])).toMatchObject({
      status: shown,
      submittedToProvider: true,
      removalVerified: false,
      errorCode: 'its own',
    });
  });

  it.each(STATUSES.slice(0, 3))('a record that says what is known adds nothing (%s)', (status, name) => {
    givenRequest([...sent, outcome(name)])
      .when(observe({ status }))
      .thenNothing();
    givenRequest([...sent, outcome(name)])
      .when(observe({ status, updatedAt: 99 }))
      .thenNothing();
  });

  it.each([
    ['submittedToProvider', { submittedToProvider: true }],
    ['removalVerified', { removalVerified: true }],
    ['errorCode', { errorCode: 'slow' }],
  ])('D51: a change of %s alone is a change', (_, change) => {
    givenRequest([...sent, outcome('submitted')])
      .when(observe({ status: 'submitted', ...change, updatedAt: 60 }))
      .then([outcome('submitted', { ...change, recordedAt: 60 })]);
  });

  it('a removal that is not verified may still be', () => {
    const removed = [...sent, outcome('completed', { submittedToProvider: true })];
    expect(isFinished(stateOf(removed))).toBe(false);
    givenRequest(removed)
      .when(observe({ status: 'removed', ...verified, updatedAt: 60 }))
      .then([outcome('completed', { ...verified, recordedAt: 60 })]);
  });

  it('of two concurrent lookups, the slower one does not undo the faster one', () => {
    givenRequest([...sent, outcome('submitted', { recordedAt: 60 })])
      .when(observe({ status: 'queued', updatedAt: 59 }))
      .thenNothing();
  });

  it('D51: one that changed twice within a millisecond counts', () => {
    givenRequest([...sent, outcome('submitted', { recordedAt: 60 })])
      .when(observe({ status: 'removed', updatedAt: 60 }))
      .then([outcome('completed', { recordedAt: 60 })]);
  });

  it('one that had vanished and is back counts, however old', () => {
    givenRequest([...sent, outcome('submitted', { recordedAt: 60 }), uncertain])
      .when(observe({ status: 'queued', updatedAt: 59 }))
      .then([outcome('accepted', { recordedAt: 59 })]);
    givenRequest([...sent, outcome('submitted'), uncertain])
      .when(observe({ status: 'submitted' }))
      .then([outcome('submitted')]);
  });

  it.each(ENDS)('changes nothing once it is %s', (_, past) => {
    for (const status of ['queued', 'submitted', 'removed', 'rejected', 'failed'] as const) {
      givenRequest(past)
        .when(observe({ status, updatedAt: 1_000 }))
        .thenNothing();
    }
    givenRequest(past).when(reject('not_deindexable')).thenNothing();
    givenRequest(past)
      .when(recordOutcomeUnknown, 100 * HOUR)
      .thenNothing();
    expect([isFinished(stateOf(past)), isUnderWay(stateOf(past))]).toEqual([true, false]);
  });
});

describe('a request whose task was set aside (D87)', () => {
  it('fails immediately if it was never sent', () => {
    const failed = outcome('failed', { recordedAt: null, errorCode: 'outcome_unknown' });
    givenRequest([requested]).when(endDeadLetterDeindex).then([failed]);
    givenRequest([requested, failed]).when(endDeadLetterDeindex).thenNothing();
  });

  it('is uncertain first if it was sent', () => {
    givenRequest(sent).when(endDeadLetterDeindex).then([uncertain]);
    givenRequest([...sent, uncertain])
      .when(endDeadLetterDeindex)
      .thenNothing();
  });
});

describe('a refusal (422)', () => {
  it.each([
    ['not_deindexable', 'not_deindexable'],
    ['something_else', 'provider_rejected'],
  ])('%s is rejected with %s, and the flags are as they were', (code, errorCode) => {
    for (const past of [sent, [...sent, uncertain]]) {
      givenRequest(past)
        .when(reject(code))
        .then([outcome('rejected', { errorCode, recordedAt: null })]);
    }
  });
});

describe('an unknown outcome', () => {
  it('D47: fails 72 hours after the outcome became unknown, to the millisecond, and keeps its flags', () => {
    const submitted = outcome('submitted', { submittedToProvider: true });
    const past = [requested, dispatching, at(HOUR, submitted), at(2 * HOUR, uncertain)];
    givenRequest(past)
      .when(recordOutcomeUnknown, 2 * HOUR + 72 * HOUR - 1)
      .thenNothing();
    givenRequest(past)
      .when(recordOutcomeUnknown, 2 * HOUR + 72 * HOUR)
      .then([outcome('failed', { submittedToProvider: true, errorCode: 'outcome_unknown' })]);
  });

  it('D47: found again and lost again, the 72 hours start again', () => {
    const past = [...sent, uncertain, outcome('accepted'), at(HOUR, uncertain)];
    givenRequest(past)
      .when(recordOutcomeUnknown, 72 * HOUR)
      .thenNothing();
  });

  it('does not undo a removal', () => {
    givenRequest([...sent, outcome('completed')])
      .when(recordOutcomeUnknown)
      .thenNothing();
  });
});

it("a newer service's event changes nothing but the time", () => {
  const event = { type: 'deindexRequest.praised.v1', data: {} } as unknown as DeindexRequestEvent;
  expect(stateOf([...sent, event])).toEqual(stateOf(sent));
  expect(stateOf([dispatching])).toEqual({ status: 'unknown' });
});

it('in any order of events: flags are those of the last record, an end stays, and repeats add nothing', () => {
  const step = fc.oneof(
    fc.constant(dispatchDeindex),
    fc.constant(recordOutcomeUnknown),
    fc.constant(reject('not_deindexable')),
    fc
      .record({
        status: fc.constantFrom('queued', 'submitted', 'removed', 'rejected', 'failed'),
        submittedToProvider: fc.boolean(),
        removalVerified: fc.boolean(),
        errorCode: fc.constantFrom(null, 'e'),
        updatedAt: fc.nat(5),
      })
      .map((record) => observe(record)),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(step, fc.integer({ min: 0, max: 40 * HOUR })), { maxLength: 40, size: 'max' }),
      (steps) => {
        let state = stateOf([requested]);
        let now = 0;
        for (const [decide, wait] of steps) {
          now += wait;
          const wasFinished = isFinished(state);
          const events = decide(state, now);
          expect(events.length).toBeLessThanOrEqual(1);
          if (wasFinished) expect(events).toEqual([]);
          for (const event of events) state = deindexRequestDecider.evolve(state, event, now);
          if (!isFinished(state) || events.length > 0) expect(decide(state, now)).toEqual([]);
          if (state.status !== 'unknown' && state.recordedAt === null) {
            expect([state.submittedToProvider, state.removalVerified]).toEqual([false, false]);
          }
        }
      },
    ),
  );
});

it.each<[string, Duration, Duration]>([
  ['soon at first', 0, SECOND],
  ['less and less often', 8 * SECOND, 8 * SECOND],
  ['at least at the interval', HOUR, 5 * MINUTE],
  ['at the interval until it is four days old', 4 * DAY - SECOND, 5 * MINUTE],
  ['every 4 hours then', 4 * DAY, 4 * HOUR],
  ['every 24 hours in the end', 365 * DAY, DAY],
])('a request that is not settled is looked up %s', (_, age, interval) =>
  expect(pollInterval(age, 5 * MINUTE)).toBe(interval),
);

it.each<[string, readonly DeindexRequestEvent[], OutboundCall | undefined]>([
  ['has not begun before the dispatch', [requested], { calledAt: null, isConfirmed: false }],
  ['was called at the dispatch', [requested, dispatching], { calledAt: 7, isConfirmed: false }],
  ['is confirmed by a record', [requested, dispatching, outcome('accepted')], { calledAt: 7, isConfirmed: true }],
  [
    'stays so when that vanishes',
    [requested, dispatching, outcome('accepted'), uncertain],
    { calledAt: 7, isConfirmed: true },
  ],
  ['has ended with a refusal', [requested, dispatching, outcome('rejected')], undefined],
])('the call to the provider %s', (_, past, order) =>
  expect(outboundCallOf(stateOf(past.map((event) => at(7, event))))).toEqual(order),
);
