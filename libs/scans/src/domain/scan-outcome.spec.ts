import { describe, expect, it } from '@jest/globals';
import { HOUR, type Instant, type OutboundCall } from '#kernel';
import { at, folded, given } from '#testing';
import type { ScanEvent, ScanJob } from './scan.events.js';
import {
  accepted,
  ending,
  FINISHED,
  fact,
  givenScan,
  job,
  NOW,
  notFound,
  pastOf,
  SENT,
  type Situation,
  started,
  TIMEOUT,
  uncertain,
} from './scan.fixtures.js';
import {
  completeScan,
  endDeadLetterScan,
  outboundCallOf,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  type Scan,
  scanDecider,
} from './scan.js';

const statusAfter = (situation: Situation, events: readonly ScanEvent[]) =>
  folded(scanDecider, [...pastOf(situation), ...events]).status;

describe("D47: the engine's answer", () => {
  const failed = (errorCode: string) => fact('failed', ending(FINISHED, errorCode));
  const cancelled = (errorCode: string | null) => fact('cancelled', ending(FINISHED, errorCode));

  it.each<[Situation, ScanJob['status'], readonly ScanEvent[], Scan['status']]>([
    ['dispatching', 'queued', [accepted], 'dispatching'],
    ['dispatching', 'running', [started], 'running'],
    ['dispatching', 'completed', [started], 'running'],
    ['dispatching, accepted', 'queued', [], 'dispatching'],
    ['dispatching, accepted', 'running', [started], 'running'],
    ['dispatching, accepted', 'completed', [started], 'running'],
    ['running', 'queued', [], 'running'],
    ['running', 'running', [], 'running'],
    ['running', 'completed', [], 'running'],
    ['uncertain', 'queued', [accepted], 'dispatching'],
    ['uncertain', 'running', [started], 'running'],
    ['uncertain', 'completed', [started], 'running'],
    ['uncertain of its job', 'queued', [accepted], 'dispatching'],
    ['uncertain of its job', 'running', [started], 'running'],
    ['uncertain of its job', 'completed', [started], 'running'],
    ['uncertain, missed once', 'queued', [accepted], 'dispatching'],
    ['uncertain, missed once', 'running', [started], 'running'],
    ['uncertain, missed once', 'completed', [started], 'running'],
  ])('%s, and the job is %s', (situation, status, events, next) => {
    givenScan(situation)
      .when((scan, now) => recordJob(scan, job(status), now))
      .then(events);
    expect(statusAfter(situation, events)).toBe(next);
    given(scanDecider, [...pastOf(situation), ...events])
      .when((scan, now) => recordJob(scan, job(status), now))
      .thenNothing();
  });

  it.each(SENT)('%s, and the job has failed or was cancelled: that ends it', (situation) => {
    const answer = { finishedAt: FINISHED, errorCode: 'blocked' };
    givenScan(situation)
      .when((scan, now) => recordJob(scan, job('failed', answer), now))
      .then([failed('blocked')]);
    givenScan(situation)
      .when((scan, now) => recordJob(scan, job('cancelled', answer), now))
      .then([cancelled('blocked')]);
    expect(statusAfter(situation, [failed('blocked')])).toBe('failed');
    expect(statusAfter(situation, [cancelled('blocked')])).toBe('cancelled');
  });

  it('D48: a failure without a code is engine_rejected; a cancellation needs none', () => {
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('failed', { finishedAt: FINISHED }), now))
      .then([failed('engine_rejected')]);
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('cancelled', { finishedAt: FINISHED }), now))
      .then([cancelled(null)]);
  });

  it('ends now if the engine does not say when', () => {
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('failed'), now), NOW)
      .then([fact('failed', ending(NOW, 'engine_rejected'))]);
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('cancelled'), now), NOW)
      .then([fact('cancelled', ending(NOW, null))]);
  });

  it('another job under the same reference replaces the known one', () => {
    for (const [situation, status, name] of [
      ['dispatching, accepted', 'queued', 'accepted'],
      ['running', 'queued', 'accepted'],
      ['running', 'running', 'started'],
    ] as const) {
      const known = folded(scanDecider, pastOf(situation));
      const after = folded(scanDecider, [...pastOf(situation), fact(name, { jobId: 'job-2' })]);
      expect(after).toEqual({ ...known, jobId: 'job-2' });
      givenScan(situation)
        .when((scan, now) => recordJob(scan, job(status, { jobId: 'job-2' }), now))
        .then([fact(name, { jobId: 'job-2' })]);
    }
  });
});

describe('completing', () => {
  it.each(SENT)('D48: after its findings are recorded, the scan is completed: %s', (situation) => {
    givenScan(situation)
      .when((scan, now) => completeScan(scan, job('completed', { finishedAt: FINISHED }), now))
      .then([fact('completed', ending(FINISHED, null))]);
  });

  it('ends now if the engine does not say when', () => {
    givenScan('running')
      .when((scan, now) => completeScan(scan, job('completed'), now), NOW)
      .then([fact('completed', ending(NOW, null))]);
  });
});

describe('a refusal of the engine', () => {
  it.each([
    ['nothing_to_scan', 'nothing_to_scan'],
    ['engine_rejected', 'engine_rejected'],
    ['invalid_request', 'engine_rejected'],
  ])('D47, D48: %s fails the scan with %s', (code, errorCode) => {
    givenScan('dispatching')
      .when((scan, now) => rejectScan(scan, code, now), NOW)
      .then([fact('failed', ending(NOW, errorCode, null))]);
  });
});

describe('a scan whose task was set aside (D87)', () => {
  it('fails immediately if it was never sent', () => {
    givenScan('queued')
      .when(endDeadLetterScan)
      .then([fact('failed', ending(NOW, 'outcome_unknown', null))]);
  });

  it('is uncertain first if it was sent', () => {
    givenScan('running').when(endDeadLetterScan).then([uncertain]);
    givenScan('uncertain').when(endDeadLetterScan).thenNothing();
  });

  it.each(['unknown', 'completed', 'failed', 'cancelled'] as const)('is not changed if it is %s', (situation) => {
    givenScan(situation).when(endDeadLetterScan).thenNothing();
  });
});

describe('an unknown outcome', () => {
  it.each(['dispatching', 'dispatching, accepted', 'running'] as const)(
    'D47: makes a scan uncertain: %s',
    (situation) => {
      givenScan(situation).when(recordOutcomeUnknown).then([uncertain]);
      expect(folded(scanDecider, [...pastOf(situation), at(NOW + 7, uncertain)])).toMatchObject({
        status: 'uncertain',
        uncertainSince: NOW + 7,
        missingSince: null,
      });
    },
  );

  it.each(['uncertain', 'uncertain of its job', 'uncertain, missed once'] as const)(
    'adds nothing while %s',
    (situation) => {
      givenScan(situation).when(recordOutcomeUnknown).thenNothing();
    },
  );

  it('D47: the scan fails after 72 hours, to the millisecond', () => {
    givenScan('uncertain')
      .when(recordOutcomeUnknown, NOW + 72 * HOUR - 1)
      .thenNothing();
    givenScan('uncertain')
      .when(recordOutcomeUnknown, NOW + 72 * HOUR)
      .then([fact('failed', ending(NOW + 72 * HOUR, 'outcome_unknown', null))]);
    givenScan('uncertain of its job')
      .when(recordOutcomeUnknown, NOW + 72 * HOUR)
      .then([fact('failed', ending(NOW + 72 * HOUR, 'outcome_unknown'))]);
  });

  it('D47: a scan that was dispatched long ago still gets time for a lookup', () => {
    givenScan('running')
      .when(recordOutcomeUnknown, NOW + 100 * HOUR)
      .then([uncertain]);
    givenScan('dispatching')
      .when(recordOutcomeUnknown, NOW + 100 * HOUR)
      .then([uncertain]);
  });

  it('D47: after an answer in between, the 72 hours start again', () => {
    const past = [...pastOf('uncertain'), at(NOW + HOUR, started), at(NOW + 10 * HOUR, uncertain)];
    given(scanDecider, past)
      .when(recordOutcomeUnknown, NOW + 73 * HOUR)
      .thenNothing();
    expect(folded(scanDecider, past)).toMatchObject({ uncertainSince: NOW + 10 * HOUR });
  });
});

describe('a lookup that finds nothing, for a creator that was paused', () => {
  const miss = (scan: Scan, now: Instant) => recordJobNotFound(scan, TIMEOUT, now);
  const cancelled = (instant: Instant, jobId: string | null) =>
    fact('cancelled', ending(instant, 'protection_paused', jobId));

  it('D47: the first one is recorded', () => {
    givenScan('uncertain').when(miss).then([notFound]);
    expect(folded(scanDecider, pastOf('uncertain, missed once'))).toMatchObject({ missingSince: NOW });
  });

  it.each(['dispatching', 'dispatching, accepted', 'running'] as const)(
    'D47: makes a scan uncertain and is remembered: %s',
    (situation) => {
      givenScan(situation).when(miss).then([uncertain, notFound]);
    },
  );

  it('D47: a second one at least the provider’s timeout later cancels', () => {
    givenScan('uncertain, missed once')
      .when(miss, NOW + TIMEOUT - 1)
      .thenNothing();
    givenScan('uncertain, missed once')
      .when(miss, NOW + TIMEOUT)
      .then([cancelled(NOW + TIMEOUT, null)]);
  });

  it('a scan that was cancelled in that way keeps its known job', () => {
    given(scanDecider, [...pastOf('uncertain of its job'), at(NOW, notFound)])
      .when(miss, NOW + TIMEOUT)
      .then([cancelled(NOW + TIMEOUT, 'job-1')]);
  });

  it('a job that is found in between starts the count again', () => {
    const past = [...pastOf('uncertain, missed once'), at(NOW + 1, started), at(NOW + 2, uncertain)];
    given(scanDecider, past)
      .when(miss, NOW + 10 * TIMEOUT)
      .then([notFound]);
  });
});

it.each<[Situation, OutboundCall | undefined]>([
  ['queued', { calledAt: null, isConfirmed: false }],
  ['dispatching', { calledAt: NOW, isConfirmed: false }],
  ['dispatching, accepted', { calledAt: NOW, isConfirmed: true }],
  ['running', { calledAt: NOW, isConfirmed: true }],
  ['uncertain', { calledAt: NOW, isConfirmed: false }],
  ['uncertain of its job', { calledAt: NOW, isConfirmed: true }],
  ['completed', undefined],
])('the call to the engine of a scan that is %s: %j', (situation, order) =>
  expect(outboundCallOf(folded(scanDecider, pastOf(situation)))).toEqual(order),
);

it.each(['unknown', 'queued', 'completed', 'failed', 'cancelled'] as const)(
  'no outcome changes a scan that is %s',
  (situation) => {
    const decisions: ((scan: Scan, now: Instant) => ScanEvent[])[] = [
      ...(['queued', 'running', 'completed', 'failed', 'cancelled'] as const).map(
        (status) => (scan: Scan, now: Instant) => recordJob(scan, job(status), now),
      ),
      (scan, now) => completeScan(scan, job('completed'), now),
      (scan, now) => rejectScan(scan, 'engine_rejected', now),
      recordOutcomeUnknown,
      (scan, now) => recordJobNotFound(scan, TIMEOUT, now),
    ];
    for (const decide of decisions)
      givenScan(situation)
        .when(decide, NOW + 100 * HOUR)
        .thenNothing();
  },
);
