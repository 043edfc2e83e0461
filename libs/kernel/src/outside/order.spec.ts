import { describe, expect, it } from '@jest/globals';
import { DAY, MINUTE, SECOND } from '../instant.js';
import { nextStep, type Order, type OrderFacts, type OrderStep, RETRY_UNCONFIGURED } from './order.js';

const NOW = 1_000_000;
const TIMEOUT = 5 * SECOND;
const POLL = MINUTE;
const FACTS: OrderFacts = {
  wanted: 'yes',
  deniedUntil: undefined,
  isConfigured: true,
  isNotFound: false,
  callTimeout: TIMEOUT,
  callEndsIn: 0,
  pollEvery: POLL,
};

const given = (order: Order) => ({
  when: (facts: Partial<OrderFacts>) => ({
    thenStep: (step: OrderStep['step'], until?: number) =>
      expect(nextStep(order, { ...FACTS, ...facts }, NOW)).toEqual(until === undefined ? { step } : { step, until }),
  }),
});

const notCalled: Order = { calledAt: null, isConfirmed: false };
const calledNow: Order = { calledAt: NOW, isConfirmed: false };
const calledBefore: Order = { calledAt: NOW - 2 * TIMEOUT, isConfirmed: false };
const confirmed: Order = { calledAt: NOW, isConfirmed: true };
const DENIED = { deniedUntil: NOW + 9 };

describe('an order that was not called', () => {
  it('is called', () => given(notCalled).when({}).thenStep('call'));

  it('is cancelled if it is not wanted, also while the agency is denied', () => {
    given(notCalled).when({ wanted: 'no' }).thenStep('cancel');
    given(notCalled)
      .when({ wanted: 'no', isConfigured: false, ...DENIED })
      .thenStep('cancel');
  });

  it('waits for a denied agency, for a member that is missing, and for a configured system', () => {
    given(notCalled)
      .when({ wanted: 'later', ...DENIED })
      .thenStep('wait', NOW + 9);
    given(notCalled)
      .when({ wanted: 'later', isConfigured: false })
      .thenStep('wait', NOW + POLL);
    given(notCalled)
      .when({ isConfigured: false })
      .thenStep('wait', NOW + RETRY_UNCONFIGURED);
  });
});

describe('an order that was called at a false time, later than now (D93)', () => {
  const calledLater: Order = { calledAt: NOW + 365 * DAY, isConfirmed: false };

  it('waits as long as the call may be under way by another measure, and then is looked up', () => {
    given(calledLater)
      .when({ callEndsIn: SECOND })
      .thenStep('wait', NOW + SECOND);
    given(calledLater).when({}).thenStep('look_up');
    given(calledLater).when({ isNotFound: true }).thenStep('call');
  });
});

describe('an order that was called', () => {
  it.each(['yes', 'no', 'later'] as const)('waits while that call may be under way (wanted: %s)', (wanted) => {
    given(calledNow)
      .when({ wanted })
      .thenStep('wait', NOW + 2 * TIMEOUT);
    given({ ...calledBefore, calledAt: NOW - 2 * TIMEOUT + 1 })
      .when({ wanted })
      .thenStep('wait', NOW + 1);
  });

  it('waits for a denied agency first', () =>
    given(calledNow)
      .when(DENIED)
      .thenStep('wait', NOW + 9));

  it('is looked up then, wanted or not, but not while nobody knows', () => {
    given(calledBefore).when({}).thenStep('look_up');
    given(calledBefore).when({ wanted: 'no' }).thenStep('look_up');
    given(calledBefore)
      .when({ wanted: 'later' })
      .thenStep('wait', NOW + POLL);
  });

  it('is looked up without a configured system too, whose adapter then says that it does not answer', () =>
    given(calledBefore).when({ isConfigured: false }).thenStep('look_up'));
});

describe('an order that a lookup has not found', () => {
  it('is called again, or cancelled if it is not wanted any more', () => {
    given(calledBefore).when({ isNotFound: true }).thenStep('call');
    given(calledBefore).when({ isNotFound: true, wanted: 'no' }).thenStep('cancel');
    given(calledBefore)
      .when({ isNotFound: true, wanted: 'later' })
      .thenStep('wait', NOW + POLL);
  });

  it('is never called again if the outside system has shown it once', () =>
    given(confirmed)
      .when({ isNotFound: true })
      .thenStep('wait', NOW + POLL));
});

it('looks a confirmed order up without a wait, as no call of it is under way', () =>
  given(confirmed).when({}).thenStep('look_up'));
