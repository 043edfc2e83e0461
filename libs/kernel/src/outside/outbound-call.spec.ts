import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '../instant.js';
import {
  type CallFacts,
  type CallStep,
  decideAfterWait,
  nextStep,
  OUTCOME_TIMEOUT,
  type OutboundCall,
  RETRY_UNCONFIGURED,
} from './outbound-call.js';

const NOW = 1_000_000;
const TIMEOUT = 5 * SECOND;
const POLL = MINUTE;
const FACTS: CallFacts = {
  wanted: 'yes',
  deniedUntil: undefined,
  isConfigured: true,
  isNotFound: false,
  callTimeout: TIMEOUT,
  callEndsIn: 0,
  pollEvery: POLL,
};

const step = (call: OutboundCall, facts: Partial<CallFacts> = {}): CallStep =>
  nextStep(call, { ...FACTS, ...facts }, NOW);
const waits = (wait: number): CallStep => ({ step: 'wait', until: NOW + wait });
const [CALL, CANCEL, LOOK_UP] = (['call', 'cancel', 'look_up'] as const).map((name) => ({ step: name }));

const notCalled: OutboundCall = { calledAt: null, isConfirmed: false };
const calledNow: OutboundCall = { calledAt: NOW, isConfirmed: false };
const calledBefore: OutboundCall = { calledAt: NOW - 2 * TIMEOUT, isConfirmed: false };
const confirmed: OutboundCall = { calledAt: NOW, isConfirmed: true };
const DENIED = { deniedUntil: NOW + 9 };

describe('a call that was not sent', () => {
  it('is called, or cancelled if it is not wanted, also while the agency is denied', () => {
    expect(step(notCalled)).toEqual(CALL);
    expect(step(notCalled, { wanted: 'no' })).toEqual(CANCEL);
    expect(step(notCalled, { wanted: 'no', isConfigured: false, ...DENIED })).toEqual(CANCEL);
  });

  it('waits for a denied agency, for a member that is missing, and for a configured system', () => {
    expect(step(notCalled, { wanted: 'later', ...DENIED })).toEqual(waits(9));
    expect(step(notCalled, { wanted: 'later', isConfigured: false })).toEqual(waits(POLL));
    expect(step(notCalled, { isConfigured: false })).toEqual(waits(RETRY_UNCONFIGURED));
  });
});

it('D93: one that was called at a false time waits as long as its call may be under way by another measure', () => {
  const calledLater: OutboundCall = { calledAt: NOW + 365 * DAY, isConfirmed: false };
  expect(step(calledLater, { callEndsIn: SECOND })).toEqual(waits(SECOND));
  expect(step(calledLater)).toEqual(LOOK_UP);
  expect(step(calledLater, { isNotFound: true })).toEqual(CALL);
});

describe('a call that was sent', () => {
  it.each(['yes', 'no', 'later'] as const)('waits while that call may be under way (wanted: %s)', (wanted) => {
    expect(step(calledNow, { wanted })).toEqual(waits(2 * TIMEOUT));
    expect(step({ ...calledBefore, calledAt: NOW - 2 * TIMEOUT + 1 }, { wanted })).toEqual(waits(1));
  });

  it('waits for a denied agency first', () => expect(step(calledNow, DENIED)).toEqual(waits(9)));

  it('is looked up then, wanted or not, but not while nobody knows', () => {
    expect(step(calledBefore)).toEqual(LOOK_UP);
    expect(step(calledBefore, { wanted: 'no' })).toEqual(LOOK_UP);
    expect(step(calledBefore, { wanted: 'later' })).toEqual(waits(POLL));
  });

  it('is looked up without a configured system too, whose adapter then says that it does not answer', () =>
    expect(step(calledBefore, { isConfigured: false })).toEqual(LOOK_UP));
});

describe('a call that a lookup has not found', () => {
  it('is called again, or cancelled if it is not wanted any more', () => {
    expect(step(calledBefore, { isNotFound: true })).toEqual(CALL);
    expect(step(calledBefore, { isNotFound: true, wanted: 'no' })).toEqual(CANCEL);
    expect(step(calledBefore, { isNotFound: true, wanted: 'later' })).toEqual(waits(POLL));
  });

  it('is never called again if the outside system has shown it once', () =>
    expect(step(confirmed, { isNotFound: true })).toEqual(waits(POLL)));
});

it('looks a confirmed call up without a wait, as none is under way', () => expect(step(confirmed)).toEqual(LOOK_UP));

const AT = 1_000;
const last = { at: AT, position: 7 };
/** The time that a decision is given when the clock shows `now`, after an event at `position`. */
const timeGiven = (left: number, now: number, position = last.position): number | undefined =>
  decideAfterWait<null, number>(last, { wait: OUTCOME_TIMEOUT, left }, (_, time) => [time])(null, now, position)[0];

it.each([
  ['the time of the clock while the call has time left', HOUR, AT + HOUR, AT + HOUR],
  [
    'no time after the 72 hours while some of them are left: the clock is ahead',
    HOUR,
    AT + 2 * OUTCOME_TIMEOUT,
    AT + OUTCOME_TIMEOUT - 1,
  ],
  ['a time after the 72 hours once they have passed: the last event bears a false time', 0, AT, AT + OUTCOME_TIMEOUT],
  ['the time of the clock once they have passed', 0, AT + 2 * OUTCOME_TIMEOUT, AT + 2 * OUTCOME_TIMEOUT],
])('D93: a decision is given %s', (_what, left, now, given) => {
  expect(timeGiven(left, now)).toBe(given);
});

it('D93: the 72 hours of an event that was recorded since have only begun', () => {
  expect(timeGiven(0, AT, last.position + 1)).toBe(AT);
});
