import { describe, expect, it } from '@jest/globals';
import { DAY, DomainError, type Duration, type Effect, HOUR, MINUTE, SECOND } from '#kernel';
import { at, type Past } from '#testing';
import type { DeindexRequestEvent } from './deindex-request.events.js';
import {
  about,
  dispatching,
  givenRequest,
  nothing,
  outcome,
  requested,
  stateOf,
  submission,
  uncertain,
} from './deindex-request.fixtures.js';
import type { DeindexRequest, KnownDeindexRequest } from './deindex-request.js';
import type { DeindexSubmission } from './deindex-submission.js';
import {
  dispatchSettledBy,
  type Membership,
  nextSearchProviderStep,
  pollInterval,
  recordDispatch,
  recordLookup,
  type SearchProviderStep,
} from './search-provider-steps.js';

const NOW = 1_700_000_000_000;
const TIMEOUT = 5 * SECOND;

/** The events that lead to each state of an open request, all recorded at the same time. */
const PASTS = {
  requested: [requested],
  dispatching: [requested, dispatching],
  uncertain: [requested, dispatching, uncertain],
  accepted: [requested, dispatching, outcome('accepted')],
  'uncertain of its record': [requested, dispatching, outcome('accepted'), uncertain],
  'removed, not verified': [requested, dispatching, outcome('completed')],
} as const satisfies Record<string, readonly DeindexRequestEvent[]>;

type Situation = keyof typeof PASTS;

const pastOf = (situation: Situation): Past<DeindexRequestEvent> => PASTS[situation].map((event) => at(NOW, event));

const known = (situation: Situation): KnownDeindexRequest => {
  const request = stateOf(pastOf(situation));
  if (request.status === 'unknown') throw new Error(`${situation} is unknown`);
  return request;
};

describe('the next step at the provider', () => {
  it.each<[Situation, SearchProviderStep]>([
    ['requested', 'dispatch'],
    ['dispatching', 'settle_outcome'],
    ['uncertain', 'settle_outcome'],
    ['accepted', 'follow_record'],
    ['uncertain of its record', 'follow_record'],
    ['removed, not verified', 'follow_record'],
  ])('of a request of a member that is %s: %s', (situation, step) =>
    expect(nextSearchProviderStep(known(situation), 'current')).toBe(step),
  );

  it.each<[Membership, Situation, SearchProviderStep]>([
    ['ended', 'requested', 'cancel'],
    ['erased', 'requested', 'cancel'],
    ['ended', 'dispatching', 'follow_record'],
    ['ended', 'uncertain', 'follow_record'],
    ['erased', 'uncertain', 'follow_record'],
    ['erased', 'accepted', 'follow_record'],
    ['missing', 'requested', 'await_member'],
    ['missing', 'uncertain', 'await_member'],
    ['missing', 'accepted', 'await_member'],
  ])('of a request whose creator is %s and that is %s: %s', (membership, situation, step) =>
    expect(nextSearchProviderStep(known(situation), membership)).toBe(step),
  );
});

describe('the call that dispatches a request', () => {
  it.each<Situation>(['dispatching', 'uncertain'])('may run for twice the timeout: %s', (situation) =>
    expect(dispatchSettledBy(known(situation), TIMEOUT)).toBe(NOW + 2 * TIMEOUT),
  );

  it.each<Situation>(['accepted', 'uncertain of its record'])('has ended if its record is known: %s', (situation) =>
    expect(dispatchSettledBy(known(situation), TIMEOUT)).toBe(0),
  );

  it('has not begun before the dispatch', () => expect(dispatchSettledBy(known('requested'), TIMEOUT)).toBe(0));
});

const dispatched = (effect: Effect<DeindexSubmission>) => (state: DeindexRequest, now: number) =>
  recordDispatch(state, effect, now);
const lost = dispatched({ outcome: 'unknown', error: new DomainError('provider_timeout') });

describe('the outcome of the dispatch', () => {
  it('with a record is what the record says', () =>
    givenRequest(pastOf('dispatching'))
      .when(dispatched({ outcome: 'done', value: submission({ status: 'submitted' }) }))
      .then([outcome('submitted')]));

  it.each([
    ['not_deindexable', 'not_deindexable'],
    ['bad_url', 'provider_rejected'],
  ])('that was refused with %s is rejected with %s', (code, errorCode) =>
    givenRequest(pastOf('dispatching'))
      .when(dispatched({ outcome: 'refused', code }))
      .then([outcome('rejected', { errorCode, recordedAt: null })]),
  );

  it('without an answer is unknown, and fails after 72 hours (D47)', () => {
    givenRequest(pastOf('dispatching')).when(lost).then([uncertain]);
    givenRequest(pastOf('uncertain'))
      .when(lost, NOW + 72 * HOUR - 1)
      .thenNothing();
    const failed = { ...about, ...nothing, recordedAt: null, errorCode: 'outcome_unknown' };
    givenRequest(pastOf('uncertain'))
      .when(lost, NOW + 72 * HOUR)
      .then([{ type: 'deindexRequest.failed.v1', data: failed }]);
  });
});

describe('a lookup', () => {
  const lookedUp = (found: DeindexSubmission | undefined) => (state: DeindexRequest, now: number) =>
    recordLookup(state, found, now);

  it('that finds a record records what it says', () =>
    givenRequest(pastOf('uncertain'))
      .when(lookedUp(submission()))
      .then([outcome('accepted')]));

  it.each<Situation>(['dispatching', 'accepted'])('that finds none is of unknown outcome: %s', (situation) =>
    givenRequest(pastOf(situation)).when(lookedUp(undefined)).then([uncertain]),
  );

  it('that finds none leaves a removal completed', () =>
    givenRequest(pastOf('removed, not verified')).when(lookedUp(undefined)).thenNothing());
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
