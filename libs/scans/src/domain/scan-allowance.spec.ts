import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, DAY, derivedId, HOUR, type Instant, type ScanId } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import {
  admitScan,
  MANUAL_SCANS_PER_DAY,
  releaseScan,
  type ScanAllowance,
  type ScanAllowanceEvent,
  type ScanReservation,
  type ScanSource,
  scanAllowanceDecider,
} from './scan-allowance.js';

const creatorId = derivedId('creator', 'mia');
const scanId = (name: string | number) => derivedId('scan', name);
const admission = (name: string | number, source: ScanSource = 'manual'): ScanReservation => ({
  scanId: scanId(name),
  creatorId,
  agencyId: agencyId('ag_lumen'),
  source,
});
const admitted = (name: string | number, source: ScanSource = 'manual'): ScanAllowanceEvent => ({
  type: 'scanAllowance.scanAdmitted.v1',
  data: admission(name, source),
});
const released = (name: string | number, outcome: 'ended' | 'conflict' = 'ended'): ScanAllowanceEvent => ({
  type: 'scanAllowance.scanReleased.v1',
  data: { scanId: scanId(name), creatorId, outcome },
});

const givenAllowance = (past: Past<ScanAllowanceEvent>) => given(scanAllowanceDecider, past);
const admit =
  (name: string | number, source: ScanSource = 'manual', ended?: ScanId) =>
  (state: ScanAllowance, now: Instant) =>
    admitScan(state, admission(name, source), ended, now);

/** A manual scan that began and ended at that moment. */
const doneAt = (name: string | number, instant: Instant) => [at(instant, admitted(name)), at(instant, released(name))];
const START = 1_700_000_000_000;
const five = [0, 1, 2, 3, 4].flatMap((index) => doneAt(index, START + index * HOUR));

describe('a pending scan', () => {
  it.each(['manual', 'scheduled'] as const)('is recorded for a %s scan', (source) => {
    givenAllowance([])
      .when(admit('a', source))
      .then([admitted('a', source)]);
    expect(folded(scanAllowanceDecider, [admitted('a', source)]).pending).toEqual(admission('a', source));
  });

  it.each([
    ['manual', 'manual'],
    ['manual', 'scheduled'],
    ['scheduled', 'manual'],
    ['scheduled', 'scheduled'],
  ] as const)('D46: a pending %s scan refuses a %s one', (first, second) => {
    givenAllowance([admitted('a', first)])
      .when(admit('b', second))
      .thenRefused('scan_in_progress');
  });

  it('D46: one that reads as ended is released in the same append', () => {
    givenAllowance([admitted('a')])
      .when(admit('b', 'manual', scanId('a')))
      .then([released('a'), admitted('b')]);
  });

  it('D46: that another scan has ended does not help', () => {
    givenAllowance([admitted('a')])
      .when(admit('b', 'manual', scanId('z')))
      .thenRefused('scan_in_progress');
  });

  it('D46: is checked before the limit', () => {
    givenAllowance([...five, at(START + 5 * HOUR, admitted('s', 'scheduled'))])
      .when(admit('b'))
      .thenRefused('scan_in_progress');
  });

  it('is free again once the scan was released', () => {
    givenAllowance([admitted('a'), released('a')])
      .when(admit('b'))
      .then([admitted('b')]);
    givenAllowance([admitted('a'), released('a')])
      .when(admit('b', 'manual', scanId('a')))
      .then([admitted('b')]);
  });

  it('admitting the same scan again is a repeat, pending or not', () => {
    givenAllowance([admitted('a')])
      .when(admit('a'))
      .thenNothing();
    givenAllowance([admitted('a')])
      .when(admit('a', 'manual', scanId('a')))
      .thenNothing();
    givenAllowance([admitted('a'), released('a')])
      .when(admit('a'))
      .thenNothing();
    givenAllowance([admitted('a'), released('a'), admitted('b')])
      .when(admit('a'))
      .thenNothing();
    givenAllowance([admitted('a', 'scheduled')])
      .when(admit('a', 'scheduled'))
      .thenNothing();
  });
});

describe('five manual scans in a rolling day', () => {
  it('D46: the sixth is refused until the first is 24 hours old, to the millisecond', () => {
    expect(MANUAL_SCANS_PER_DAY).toBe(5);
    givenAllowance(five)
      .when(admit('b'), START + 4 * HOUR)
      .thenRefused('scan_limit_reached', 20 * 3_600);
    givenAllowance(five)
      .when(admit('b'), START + DAY - 1)
      .thenRefused('scan_limit_reached', 1);
    givenAllowance(five)
      .when(admit('b'), START + DAY)
      .then([admitted('b')]);
  });

  it.each([10 * HOUR, 365 * DAY])('D111: none counts that a clock recorded that was %s ms ahead', (ahead) => {
    givenAllowance(five)
      .when(admit('b'), START - ahead)
      .then([admitted('b')]);
  });

  it.each([
    [1_000, 1],
    [1_001, 2],
  ])('D46: Retry-After is in whole seconds, rounded up: %s ms are %s s', (left, seconds) => {
    givenAllowance(five)
      .when(admit('b'), START + DAY - left)
      .thenRefused('scan_limit_reached', seconds);
  });

  it('scheduled scans neither count nor are limited', () => {
    const scheduled = Array.from({ length: 9 }, (_, index) => [
      at(START, admitted(`s${index}`, 'scheduled')),
      at(START, released(`s${index}`)),
    ]).flat();
    givenAllowance(scheduled)
      .when(admit('b'), START)
      .then([admitted('b')]);
    givenAllowance(five)
      .when(admit('b', 'scheduled'), START + 4 * HOUR)
      .then([admitted('b', 'scheduled')]);
  });

  it('D45: a scan whose id was another creator’s does not count', () => {
    const conflicted = [
      ...five.slice(2),
      at(START + 5 * HOUR, admitted('c')),
      at(START + 5 * HOUR, released('c', 'conflict')),
    ];
    givenAllowance(conflicted)
      .when(admit('b'), START + 5 * HOUR)
      .then([admitted('b')]);
  });

  it('keeps only what it needs', () => {
    const past = Array.from({ length: 40 }, (_, index) => doneAt(index, START + index * 6 * HOUR)).flat();
    expect(folded(scanAllowanceDecider, past).manual.length).toBeLessThanOrEqual(MANUAL_SCANS_PER_DAY);
  });
});

describe('releasing a scan', () => {
  const release = (name: string, outcome: 'ended' | 'conflict') => (state: ScanAllowance) =>
    releaseScan(state, scanId(name), outcome);

  it.each(['ended', 'conflict'] as const)('leaves no scan pending: %s', (outcome) => {
    givenAllowance([admitted('a')])
      .when(release('a', outcome))
      .then([released('a', outcome)]);
    expect(folded(scanAllowanceDecider, [admitted('a'), released('a', outcome)]).pending).toBeNull();
  });

  it('happens once, and only to the pending one', () => {
    givenAllowance([admitted('a'), released('a')])
      .when(release('a', 'ended'))
      .thenNothing();
    givenAllowance([admitted('b')])
      .when(release('a', 'ended'))
      .thenNothing();
    givenAllowance([]).when(release('a', 'ended')).thenNothing();
  });

  it('an event of a newer service changes nothing', () => {
    const event = { type: 'scanAllowance.raised.v1', data: {} } as unknown as ScanAllowanceEvent;
    expect(folded(scanAllowanceDecider, [admitted('a'), event])).toEqual(folded(scanAllowanceDecider, [admitted('a')]));
  });
});

describe('laws of the allowance', () => {
  const attempt = fc.record({
    wait: fc.oneof(fc.integer({ min: 0, max: 8 * HOUR }), fc.constantFrom(0, 1, DAY - 1, DAY, DAY + 1)),
    source: fc.constantFrom('manual' as const, 'manual' as const, 'scheduled' as const),
    name: fc.integer({ min: 0, max: 30 }),
    ends: fc.boolean(),
  });

  it('admits at most five manual scans in any 24 hours and one pending scan, and repeats add nothing', () => {
    fc.assert(
      fc.property(fc.array(attempt, { maxLength: 60, size: 'max' }), (attempts) => {
        let state = scanAllowanceDecider.initial;
        let now = START;
        const manual: Instant[] = [];
        attempts.forEach(({ wait, source, name, ends }, index) => {
          now += wait;
          const ended = ends ? state.pending?.scanId : undefined;
          const id = `${index}-${name}`;
          let events: ScanAllowanceEvent[] = [];
          try {
            events = admitScan(state, admission(id, source), ended, now);
          } catch {
            return;
          }
          const wasPending = state.pending !== null;
          expect(events.length).toBe(wasPending ? 2 : 1);
          for (const event of events) state = scanAllowanceDecider.evolve(state, event, now);
          expect(admitScan(state, admission(id, source), undefined, now)).toEqual([]);
          if (source === 'manual') manual.push(now);
        });
        manual.forEach((last, index) => {
          const sixthBefore = manual[index - MANUAL_SCANS_PER_DAY];
          if (sixthBefore !== undefined) expect(last - sixthBefore).toBeGreaterThanOrEqual(DAY);
        });
      }),
    );
  });

  it('a scan is admitted after its Retry-After, but not a second before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4 * HOUR }), { minLength: 5, maxLength: 5 }),
        fc.nat(DAY),
        (gaps, wait) => {
          const instants = gaps.map((_, index) => START + gaps.slice(0, index + 1).reduce((sum, gap) => sum + gap, 0));
          const past = instants.flatMap((instant, index) => doneAt(index, instant));
          const state = folded(scanAllowanceDecider, past);
          const now = Math.max(...instants) + wait;
          try {
            admitScan(state, admission('b'), undefined, now);
          } catch (error) {
            const { retryAfterSeconds = 0 } = error as { retryAfterSeconds?: number };
            expect(retryAfterSeconds).toBeGreaterThan(0);
            expect(() => admitScan(state, admission('b'), undefined, now + retryAfterSeconds * 1_000)).not.toThrow();
            expect(() => admitScan(state, admission('b'), undefined, now + (retryAfterSeconds - 1) * 1_000)).toThrow();
          }
        },
      ),
    );
  });
});
