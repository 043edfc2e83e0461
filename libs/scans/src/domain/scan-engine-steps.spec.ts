import { describe, expect, it } from '@jest/globals';
import { folded } from '#testing';
import { NOW, pastOf, type Situation, TIMEOUT } from './scan.fixtures.js';
import { type DispatchedScan, isDispatched, scanDecider } from './scan.js';
import { dispatchSettledBy, nextScanEngineStep, type ScanEngineStep } from './scan-engine-steps.js';

const dispatched = (situation: Situation): DispatchedScan => {
  const scan = folded(scanDecider, pastOf(situation));
  if (!isDispatched(scan)) throw new Error(`${situation} is not dispatched`);
  return scan;
};

describe('the next step at the engine', () => {
  it.each<[Situation, ScanEngineStep]>([
    ['dispatching', 'settle_outcome'],
    ['dispatching, accepted', 'follow_job'],
    ['running', 'follow_job'],
    ['uncertain', 'settle_outcome'],
    ['uncertain of its job', 'settle_outcome'],
    ['uncertain, missed once', 'settle_outcome'],
  ])('of a scan that is %s: %s', (situation, step) => expect(nextScanEngineStep(dispatched(situation))).toBe(step));
});

describe('the call that dispatches a scan', () => {
  it.each<Situation>(['dispatching', 'uncertain'])('may run for twice the timeout: %s', (situation) =>
    expect(dispatchSettledBy(dispatched(situation), TIMEOUT)).toBe(NOW + 2 * TIMEOUT),
  );

  it.each<Situation>(['dispatching, accepted', 'uncertain of its job'])(
    'has ended if its job is known: %s',
    (situation) => expect(dispatchSettledBy(dispatched(situation), TIMEOUT)).toBe(0),
  );
});
