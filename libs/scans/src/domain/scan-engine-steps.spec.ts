import { describe, expect, it } from '@jest/globals';
import { DomainError, type Effect, HOUR } from '#kernel';
import { folded } from '#testing';
import {
  accepted,
  ending,
  fact,
  givenScan,
  job,
  NOW,
  pastOf,
  type Situation,
  started,
  TIMEOUT,
  uncertain,
} from './scan.fixtures.js';
import { type DispatchedScan, isDispatched, isPending, type PendingScan, type Scan, scanDecider } from './scan.js';
import {
  dispatchSettledBy,
  nextScanEngineStep,
  recordDispatch,
  recordLookup,
  type ScanEngineStep,
} from './scan-engine-steps.js';
import type { ScanJob } from './scan-job.js';

const pending = (situation: Situation): PendingScan => {
  const scan = folded(scanDecider, pastOf(situation));
  if (!isPending(scan)) throw new Error(`${situation} is not pending`);
  return scan;
};

const dispatched = (situation: Situation): DispatchedScan => {
  const scan = pending(situation);
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
    expect(dispatchSettledBy(pending(situation), TIMEOUT)).toBe(NOW + 2 * TIMEOUT),
  );

  it.each<Situation>(['dispatching, accepted', 'uncertain of its job'])(
    'has ended if its job is known: %s',
    (situation) => expect(dispatchSettledBy(pending(situation), TIMEOUT)).toBe(0),
  );

  it('has not begun before the dispatch', () => expect(dispatchSettledBy(pending('queued'), TIMEOUT)).toBe(0));
});

const dispatch = (effect: Effect<ScanJob>) => (state: Scan, now: number) => recordDispatch(state, effect, now);
const lost = dispatch({ outcome: 'unknown', error: new DomainError('provider_timeout') });

describe('the outcome of the dispatch', () => {
  it('with a job is what the job says', () =>
    givenScan('dispatching')
      .when(dispatch({ outcome: 'done', value: job('running') }))
      .then([started]));

  it.each([
    ['nothing_to_scan', 'nothing_to_scan'],
    ['bad_handles', 'engine_rejected'],
  ])('that was refused with %s has failed with %s', (code, errorCode) =>
    givenScan('dispatching')
      .when(dispatch({ outcome: 'refused', code }))
      .then([fact('failed', ending(NOW, errorCode, null))]),
  );

  it('without an answer is unknown, and fails after 72 hours (D47)', () => {
    givenScan('dispatching').when(lost).then([uncertain]);
    givenScan('uncertain')
      .when(lost, NOW + 72 * HOUR - 1)
      .thenNothing();
    givenScan('uncertain')
      .when(lost, NOW + 72 * HOUR)
      .then([fact('failed', ending(NOW + 72 * HOUR, 'outcome_unknown', null))]);
  });
});

describe('a lookup', () => {
  const lookedUp = (found: ScanJob | undefined) => (state: Scan, now: number) => recordLookup(state, found, now);

  it('that finds a job records what it says', () =>
    givenScan('uncertain')
      .when(lookedUp(job('queued')))
      .then([accepted]));

  it.each<Situation>(['dispatching', 'dispatching, accepted', 'running'])(
    'that finds none is of unknown outcome: %s',
    (situation) => givenScan(situation).when(lookedUp(undefined)).then([uncertain]),
  );
});
