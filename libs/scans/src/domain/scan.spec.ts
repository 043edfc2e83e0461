import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, derivedId, HOUR, type Instant } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import type { ScanHandle, ScanJob } from '../application/ports.js';
import { publicScan } from '../published/public-scan.js';
import type { ScanEvent } from './scan.events.js';
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
  SCAN_GIVEN_UP_AFTER,
  type Scan,
  scanDecider,
} from './scan.js';

const about = { scanId: derivedId('scan', 'one'), creatorId: derivedId('creator', 'mia') };
const agency = agencyId('ag_lumen');
const order = { ...about, agencyId: agency, workspaceId: derivedId('workspace', agency), source: 'manual' as const };
const handles: ScanHandle[] = [{ platform: 'onlyfans', username: 'mia', variants: ['rosie'] }];

type EventName = ScanEvent['type'] extends `scan.${infer Name}.v1` ? Name : never;
type DataOf<Name extends EventName> = Extract<ScanEvent, { type: `scan.${Name}.v1` }>['data'];
const fact = <Name extends EventName>(name: Name, data: Omit<DataOf<Name>, keyof typeof about>) =>
  ({ type: `scan.${name}.v1`, data: { ...about, ...data } }) as ScanEvent;

const queued: ScanEvent = { type: 'scan.queued.v1', data: order };
const dispatching = fact('dispatchStarted', { personal: { handles } });
const accepted = fact('accepted', { jobId: 'job-1' });
const started = fact('started', { jobId: 'job-1' });
const uncertain = fact('outcomeLost', {});
const notFound = fact('jobNotFound', {});
const ending = (finishedAt: Instant, errorCode: string | null, jobId: string | null = 'job-1') => ({
  jobId,
  finishedAt,
  errorCode,
});

const NOW = 1_700_000_000_000;
const FINISHED = NOW - 5_000;
const TIMEOUT = 5_000;
const job = (status: ScanJob['status'], changes: Partial<ScanJob> = {}): ScanJob => ({
  jobId: 'job-1',
  status,
  errorCode: null,
  finishedAt: null,
  ...changes,
});

/** How a scan comes to be in each state. */
const PASTS = {
  unknown: [],
  queued: [queued],
  dispatching: [queued, dispatching],
  'dispatching, accepted': [queued, dispatching, accepted],
  running: [queued, dispatching, started],
  uncertain: [queued, dispatching, uncertain],
  'uncertain of its job': [queued, dispatching, started, uncertain],
  'uncertain, missed once': [queued, dispatching, uncertain, notFound],
  completed: [queued, dispatching, started, fact('completed', ending(FINISHED, null))],
  failed: [queued, dispatching, fact('failed', ending(FINISHED, 'engine_rejected', null))],
  cancelled: [queued, fact('cancelled', ending(FINISHED, 'protection_paused', null))],
} as const satisfies Record<string, readonly ScanEvent[]>;
type Situation = keyof typeof PASTS;

const UNTOUCHED: Situation[] = ['unknown', 'queued', 'completed', 'failed', 'cancelled'];
const SENT: Situation[] = [
  'dispatching',
  'dispatching, accepted',
  'running',
  'uncertain',
  'uncertain of its job',
  'uncertain, missed once',
];

const pastOf = (situation: Situation): Past<ScanEvent> => PASTS[situation].map((event) => at(NOW, event));
const givenScan = (situation: Situation) => given(scanDecider, pastOf(situation));
const statusAfter = (situation: Situation, events: readonly ScanEvent[]) =>
  folded(scanDecider, [...pastOf(situation), ...events]).status;

describe('the state of a scan', () => {
  it.each<[Situation, Scan['status'], boolean]>([
    ['unknown', 'unknown', false],
    ['queued', 'queued', true],
    ['dispatching', 'dispatching', true],
    ['dispatching, accepted', 'dispatching', true],
    ['running', 'running', true],
    ['uncertain', 'uncertain', true],
    ['uncertain, missed once', 'uncertain', true],
    ['completed', 'completed', false],
    ['failed', 'failed', false],
    ['cancelled', 'cancelled', false],
  ])('D46: %s is %s; pending: %s', (situation, status, pending) => {
    const scan = folded(scanDecider, pastOf(situation));
    expect(scan.status).toBe(status);
    expect(isPending(scan)).toBe(pending);
  });

  it('is for good once it has ended', () => {
    for (const situation of ['completed', 'failed', 'cancelled'] as const) {
      const late = [dispatching, accepted, started, uncertain, notFound, fact('completed', ending(NOW, null))];
      expect(folded(scanDecider, [...pastOf(situation), ...late])).toEqual(folded(scanDecider, pastOf(situation)));
    }
  });

  it('does not come from the engine before the scan went out', () => {
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

  it('D48: a failure without a code of its own is engine_rejected; a cancellation needs none', () => {
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('failed', { finishedAt: FINISHED }), now))
      .then([failed('engine_rejected')]);
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('cancelled', { finishedAt: FINISHED }), now))
      .then([cancelled(null)]);
  });

  it('ends now where the engine does not say when', () => {
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('failed'), now), NOW)
      .then([fact('failed', ending(NOW, 'engine_rejected'))]);
    givenScan('running')
      .when((scan, now) => recordJob(scan, job('cancelled'), now), NOW)
      .then([fact('cancelled', ending(NOW, null))]);
  });

  it('another job under the same reference takes the place of the known one', () => {
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

  it.each(UNTOUCHED)('says nothing of a scan that is %s', (situation) => {
    for (const status of ['queued', 'running', 'completed', 'failed', 'cancelled'] as const) {
      givenScan(situation)
        .when((scan, now) => recordJob(scan, job(status), now))
        .thenNothing();
    }
  });
});

describe('completing', () => {
  it.each(SENT)('D48: once the findings are in, the scan is complete: %s', (situation) => {
    givenScan(situation)
      .when((scan, now) => completeScan(scan, job('completed', { finishedAt: FINISHED }), now))
      .then([fact('completed', ending(FINISHED, null))]);
  });

  it('ends now where the engine does not say when', () => {
    givenScan('running')
      .when((scan, now) => completeScan(scan, job('completed'), now), NOW)
      .then([fact('completed', ending(NOW, null))]);
  });

  it.each(UNTOUCHED)('adds nothing: %s', (situation) => {
    givenScan(situation)
      .when((scan, now) => completeScan(scan, job('completed'), now))
      .thenNothing();
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

  it.each(SENT)('ends it: %s', (situation) => {
    givenScan(situation)
      .when((scan, now) => rejectScan(scan, 'engine_rejected', now), NOW)
      .then([fact('failed', ending(NOW, 'engine_rejected', null))]);
  });

  it.each(UNTOUCHED)('adds nothing: %s', (situation) => {
    givenScan(situation)
      .when((scan, now) => rejectScan(scan, 'engine_rejected', now))
      .thenNothing();
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

  it('D47: after 72 hours of that the scan has failed, to the millisecond', () => {
    expect(SCAN_GIVEN_UP_AFTER).toBe(72 * HOUR);
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

  it('D47: a scan that was dispatched long ago is given time to be looked up all the same', () => {
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

  it.each(UNTOUCHED)('adds nothing: %s', (situation) => {
    givenScan(situation)
      .when(recordOutcomeUnknown, NOW + 100 * HOUR)
      .thenNothing();
  });
});

describe('a lookup that finds nothing, for a creator that was paused', () => {
  const miss = (scan: Scan, now: Instant) => recordJobNotFound(scan, TIMEOUT, now);
  const cancelled = (instant: Instant, jobId: string | null) =>
    fact('cancelled', ending(instant, 'protection_paused', jobId));

  it('D47: the first is remembered', () => {
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

  it('a scan that was cancelled in that way keeps the job that it was told of', () => {
    given(scanDecider, [...pastOf('uncertain of its job'), at(NOW, notFound)])
      .when(miss, NOW + TIMEOUT)
      .then([cancelled(NOW + TIMEOUT, 'job-1')]);
  });

  it('a job that shows up in between begins it anew', () => {
    const past = [...pastOf('uncertain, missed once'), at(NOW + 1, started), at(NOW + 2, uncertain)];
    given(scanDecider, past)
      .when(miss, NOW + 10 * TIMEOUT)
      .then([notFound]);
  });

  it.each(UNTOUCHED)('adds nothing: %s', (situation) => {
    givenScan(situation)
      .when(miss, NOW + 10 * TIMEOUT)
      .thenNothing();
  });
});

describe('a pause', () => {
  it('D47: cancels a scan that is still queued', () => {
    givenScan('queued')
      .when(cancelQueuedScan, NOW)
      .then([fact('cancelled', ending(NOW, 'protection_paused', null))]);
  });

  it.each([...SENT, 'unknown', 'completed', 'failed', 'cancelled'] as const)(
    'does not undo what was dispatched: %s',
    (situation) => {
      givenScan(situation).when(cancelQueuedScan).thenNothing();
    },
  );
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

  it('D47: goes only where it may, and what was decided twice was decided once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(decision, fc.nat(20 * HOUR)), { maxLength: 25 }), (decisions) => {
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
