import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId, HOUR, type Instant } from '#kernel';
import { at, folded } from '#testing';
import { publicScan } from '../published/public-scan.js';
import type { ScanEvent } from './scan.events.js';
import {
  about,
  accepted,
  dispatching,
  ending,
  fact,
  givenScan,
  handles,
  job,
  NOW,
  notFound,
  order,
  PASTS,
  pastOf,
  queued,
  SENT,
  started,
  TIMEOUT,
  uncertain,
} from './scan.fixtures.js';
import {
  cancelQueuedScan,
  completeScan,
  dispatchScan,
  isPending,
  queueScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  type Scan,
  scanDecider,
} from './scan.js';

describe('the state of a scan', () => {
  it('is for good once it has ended', () => {
    for (const situation of ['completed', 'failed', 'cancelled'] as const) {
      const late = [dispatching, accepted, started, uncertain, notFound, fact('completed', ending(NOW, null))];
      expect(folded(scanDecider, [...pastOf(situation), ...late])).toEqual(folded(scanDecider, pastOf(situation)));
    }
  });

  it('is not recorded before the scan was dispatched', () => {
    for (const event of [accepted, started, uncertain, notFound]) {
      expect(folded(scanDecider, [queued, event])).toEqual(folded(scanDecider, [queued]));
      expect(folded(scanDecider, [event])).toEqual({ status: 'unknown' });
    }
  });

  it('an event of a newer service changes nothing', () => {
    const event = { type: 'scan.praised.v1', data: about } as unknown as ScanEvent;
    expect(folded(scanDecider, [queued, event])).toEqual(folded(scanDecider, [queued]));
  });
});

describe('queueing', () => {
  it('opens the stream of a scan that was admitted', () => {
    givenScan('unknown')
      .when((scan) => queueScan(scan, order))
      .then([queued]);
  });

  it.each([...SENT, 'queued', 'completed', 'failed', 'cancelled'] as const)(
    'D45: again is a repeat: %s',
    (situation) => {
      givenScan(situation)
        .when((scan) => queueScan(scan, order))
        .thenNothing();
    },
  );

  it.each([...SENT, 'queued', 'completed', 'failed', 'cancelled'] as const)(
    'D45: the same key for another creator conflicts: %s',
    (situation) => {
      givenScan(situation)
        .when((scan) => queueScan(scan, { ...order, creatorId: derivedId('creator', 'eve') }))
        .thenRefused('idempotency_conflict');
    },
  );
});

describe('dispatching', () => {
  it('D47: records what the engine will be asked for', () => {
    givenScan('queued')
      .when((scan) => dispatchScan(scan, handles))
      .then([dispatching]);
    expect(folded(scanDecider, [at(1, queued), at(2, dispatching)])).toMatchObject({
      status: 'dispatching',
      handles,
      createdAt: 1,
      dispatchedAt: 2,
      jobId: null,
    });
  });

  it.each([...SENT, 'unknown', 'completed', 'failed', 'cancelled'] as const)(
    'D47: is decided once, so that a repeat sends the same body: %s',
    (situation) => {
      givenScan(situation)
        .when((scan) => dispatchScan(scan, []))
        .thenNothing();
    },
  );
});

describe('a pause', () => {
  it('D47: cancels a scan that is still queued', () => {
    givenScan('queued')
      .when(cancelQueuedScan, NOW)
      .then([fact('cancelled', ending(NOW, 'protection_paused', null))]);
  });
});

describe('laws of a scan', () => {
  type Decision = (scan: Scan, now: Instant) => ScanEvent[];
  const decision: fc.Arbitrary<Decision> = fc.oneof(
    fc.constant<Decision>((scan) => queueScan(scan, order)),
    fc.constant<Decision>((scan) => dispatchScan(scan, handles)),
    fc
      .record({
        status: fc.constantFrom('queued' as const, 'running' as const, 'completed' as const, 'failed' as const),
        jobId: fc.constantFrom('job-1', 'job-2'),
      })
      .map(
        (answer): Decision =>
          (scan, now) =>
            recordJob(scan, job(answer.status, answer), now),
      ),
    fc.constant<Decision>((scan, now) => completeScan(scan, job('completed'), now)),
    fc.constant<Decision>((scan, now) => rejectScan(scan, 'engine_rejected', now)),
    fc.constant<Decision>(recordOutcomeUnknown),
    fc.constant<Decision>(cancelQueuedScan),
    fc.constant<Decision>((scan, now) => recordJobNotFound(scan, TIMEOUT, now)),
  );
  const ALLOWED: Record<Scan['status'], Scan['status'][]> = {
    unknown: ['queued'],
    queued: ['dispatching', 'cancelled'],
    dispatching: ['running', 'uncertain', 'completed', 'failed', 'cancelled'],
    running: ['dispatching', 'uncertain', 'completed', 'failed', 'cancelled'],
    uncertain: ['dispatching', 'running', 'completed', 'failed', 'cancelled'],
    completed: [],
    failed: [],
    cancelled: [],
  };

  it('D47: makes only allowed transitions, and a repeated decision adds nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(decision, fc.nat(20 * HOUR)), { maxLength: 25, size: 'max' }), (decisions) => {
        let scan: Scan = scanDecider.initial;
        let now = NOW;
        for (const [decide, wait] of decisions) {
          now += wait;
          const events = decide(scan, now);
          const after = events.reduce<Scan>((before, event) => scanDecider.evolve(before, event, now), scan);
          if (after.status !== scan.status) expect(ALLOWED[scan.status]).toContain(after.status);
          if (scan.status !== 'unknown' && !isPending(scan)) expect(events).toEqual([]);
          if (after.status !== 'unknown') expect(publicScan(after).finished_at === null).toBe(isPending(after));
          scan = after;
        }
      }),
    );
  });

  it('folding any events in any order never throws', () => {
    const events = Object.values(PASTS).flat();
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events)), (past) => {
        expect(() => folded(scanDecider, past)).not.toThrow();
      }),
    );
  });
});
