import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, DAY, derivedId, type Instant, MINUTE } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import {
  type CaseEvent,
  type CaseState,
  caseDecider,
  caseIdOf,
  type NativeLeak,
  observeLeak,
  observeRemoval,
} from './case.js';

const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const creatorId = derivedId('creator', 'mia');
const caseId = caseIdOf(workspaceId, creatorId, 'leak-1');
const scanId = derivedId('scan', 'one');
const otherScan = derivedId('scan', 'two');
const about = { caseId, creatorId };

const leak = (changes: Partial<NativeLeak> = {}): NativeLeak => ({
  leakId: 'leak-1',
  url: 'https://leaks.example/mia/1',
  status: 'Détecté',
  statusCode: 'detected',
  actionable: null,
  deadOnArrival: null,
  createdAt: 1_000,
  updatedAt: 2_000,
  jobId: null,
  ...changes,
});

const recorded = (changes: Partial<NativeLeak> = {}) => {
  const { leakId, jobId, url, ...finding } = leak(changes);
  return { ...finding, personal: { url } };
};
const opened = (changes: Partial<NativeLeak> = {}, scan: typeof scanId | null = null): CaseEvent => ({
  type: 'case.opened.v1',
  data: { ...about, workspaceId, leakId: 'leak-1', scanId: scan, ...recorded(changes) },
});
const changed = (changes: Partial<NativeLeak>): CaseEvent => ({
  type: 'case.changed.v1',
  data: { ...about, ...recorded(changes) },
});
const attributed: CaseEvent = { type: 'case.attributed.v1', data: { ...about, scanId } };
const removed: CaseEvent = { type: 'case.removed.v1', data: about };
const restored = (changes: Partial<NativeLeak> = {}): CaseEvent => ({
  type: 'case.restored.v1',
  data: { ...about, ...recorded(changes) },
});

const LATER = 10 * DAY;
const givenCase = (past: Past<CaseEvent>) => given(caseDecider, past);
const observe =
  (changes: Partial<NativeLeak> = {}, scan: typeof scanId | null = null, began = LATER) =>
  (state: CaseState) =>
    observeLeak(state, { ...about, workspaceId, leak: leak(changes), scanId: scan, reading: { began, now: LATER } });
const walk =
  (began: Instant, now = LATER) =>
  (state: CaseState) =>
    observeRemoval(state, { began, now });

describe('the id of a case', () => {
  it('D50: follows from workspace, creator and leak', () => {
    expect(caseIdOf(workspaceId, creatorId, 'leak-1')).toBe(caseId);
    expect(caseIdOf(workspaceId, creatorId, 'leak-2')).not.toBe(caseId);
    expect(caseIdOf(workspaceId, derivedId('creator', 'eve'), 'leak-1')).not.toBe(caseId);
    expect(caseIdOf(derivedId('workspace', 'other'), creatorId, 'leak-1')).not.toBe(caseId);
    expect(caseId).toMatch(/^cas_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});

describe('a finding that is seen for the first time', () => {
  it('opens a case, however old it is', () => {
    givenCase([]).when(observe()).then([opened()]);
  });

  it('D48: is attributed immediately if its scan is known', () => {
    givenCase([])
      .when(observe({}, scanId))
      .then([opened({}, scanId)]);
    expect(folded(caseDecider, [opened({}, scanId)])).toMatchObject({ scanId, available: true });
  });
});

describe('a finding that is seen again', () => {
  it('D50: appends nothing while it is the same', () => {
    givenCase([opened()]).when(observe()).thenNothing();
  });

  it.each<[string, Partial<NativeLeak>]>([
    ['status', { status: 'Supprimé' }],
    ['status code', { statusCode: 'removed' }],
    ['url', { url: 'https://leaks.example/mia/2' }],
    ['actionable', { actionable: true }],
    ['not actionable', { actionable: false }],
    ['dead on arrival', { deadOnArrival: true }],
    ['time of birth', { createdAt: 999 }],
  ])('is a change where its %s is another, at the same or a later time', (_what, changes) => {
    for (const updatedAt of [2_000, 2_001]) {
      givenCase([opened()])
        .when(observe({ ...changes, updatedAt }))
        .then([changed({ ...changes, updatedAt })]);
    }
  });

  it('is a change if only its time differs, because agencies see the time', () => {
    givenCase([opened()])
      .when(observe({ updatedAt: 2_001 }))
      .then([changed({ updatedAt: 2_001 })]);
  });

  it('D50: is ignored if it is older than what is recorded', () => {
    givenCase([opened()])
      .when(observe({ status: 'Ancien', updatedAt: 1_999 }))
      .thenNothing();
    givenCase([opened(), changed({ updatedAt: 3_000 })])
      .when(observe({ updatedAt: 2_999 }))
      .thenNothing();
  });
});

describe('the scan of a finding', () => {
  it('is attached once it is known', () => {
    givenCase([opened()]).when(observe({}, scanId)).then([attributed]);
    expect(folded(caseDecider, [opened(), attributed])).toMatchObject({ scanId });
  });

  it('is attached once: the first scan remains', () => {
    givenCase([opened(), attributed]).when(observe({}, scanId)).thenNothing();
    givenCase([opened(), attributed]).when(observe({}, otherScan)).thenNothing();
    givenCase([opened({}, scanId)])
      .when(observe({}, otherScan))
      .thenNothing();
  });

  it('comes after a change in the same append', () => {
    givenCase([opened()])
      .when(observe({ updatedAt: 3_000 }, scanId))
      .then([changed({ updatedAt: 3_000 }), attributed]);
  });
});

describe('a finding that a complete walk did not show', () => {
  const seenAt = [at(5_000, opened())];

  it('D50: is removed if it was recorded before the walk began', () => {
    givenCase(seenAt).when(walk(5_001)).then([removed]);
    expect(folded(caseDecider, [...seenAt, removed])).toMatchObject({ available: false });
  });

  it('D50, D93: is removed if a clock that was far ahead recorded it', () => {
    const past = [at(DAY, opened())];
    givenCase(past)
      .when(walk(5_000, DAY - MINUTE))
      .thenNothing();
    givenCase(past)
      .when(walk(5_000, DAY - MINUTE - 1))
      .then([removed]);
  });

  it('D50: is not removed if it was recorded after the walk began', () => {
    givenCase(seenAt).when(walk(5_000)).thenNothing();
    givenCase(seenAt).when(walk(4_999)).thenNothing();
  });

  it.each([
    ['change', changed({ updatedAt: 3_000 })],
    ['attribution', attributed],
  ])('D50: a later %s protects it too', (_what, event) => {
    givenCase([...seenAt, at(9_000, event)])
      .when(walk(9_000))
      .thenNothing();
    givenCase([...seenAt, at(9_000, event)])
      .when(walk(9_001))
      .then([removed]);
  });
});

describe('a finding that comes back', () => {
  const gone = [at(5_000, opened()), at(6_000, removed)];

  it('D50: is restored, changed or not', () => {
    givenCase(gone).when(observe()).then([restored()]);
    givenCase(gone)
      .when(observe({ updatedAt: 7_000 }))
      .then([restored({ updatedAt: 7_000 })]);
    expect(folded(caseDecider, [...gone, restored({ updatedAt: 7_000 })])).toMatchObject({
      available: true,
      finding: { updatedAt: 7_000 },
    });
  });

  it('D50: is not brought back by an older observation', () => {
    givenCase(gone)
      .when(observe({ updatedAt: 1_999 }))
      .thenNothing();
  });

  it('is not restored by a reading that began before its removal', () => {
    const foundGone = 6_000;
    const past = [opened(), at(foundGone, removed)];
    givenCase(past)
      .when(observe({}, null, foundGone))
      .thenNothing();
    givenCase(past)
      .when(observe({}, null, foundGone + 1))
      .then([restored()]);
  });

  it('is restored once, and can be removed again', () => {
    const back = [...gone, at(7_000, restored())];
    givenCase(back).when(observe()).thenNothing();
    givenCase(back).when(walk(7_000)).thenNothing();
    givenCase(back).when(walk(7_001)).then([removed]);
  });

  it('can get its scan while it is removed, and when it is restored', () => {
    givenCase(gone)
      .when(observe({ updatedAt: 1_000 }, scanId))
      .then([attributed]);
    givenCase(gone).when(observe({}, scanId)).then([restored(), attributed]);
  });
});

describe('laws of a case', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('observe' as const),
      changes: fc.record({
        status: fc.constantFrom('a', 'b'),
        actionable: fc.constantFrom(null, true),
        updatedAt: fc.integer({ min: 0, max: 6 }),
      }),
      scan: fc.constantFrom(null, scanId, otherScan),
    }),
    fc.record({ kind: fc.constant('walk' as const), back: fc.integer({ min: 0, max: 3 }) }),
  );

  it('a repeated observation appends nothing; the time never decreases; an attached scan remains', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        let state: CaseState = caseDecider.initial;
        steps.forEach((taken, index) => {
          const before = state;
          const decide = taken.kind === 'walk' ? walk(index - taken.back) : observe(taken.changes, taken.scan);
          for (const event of decide(state))
            state = caseDecider.evolve(state, JSON.parse(JSON.stringify(event)), index);
          expect(decide(state)).toEqual([]);
          if (before.status === 'unknown' || state.status === 'unknown') return;
          expect(state.finding.updatedAt).toBeGreaterThanOrEqual(before.finding.updatedAt);
          if (before.scanId !== null) expect(state.scanId).toBe(before.scanId);
          if (before.available && !state.available) expect(taken.kind).toBe('walk');
        });
      }),
    );
  });

  it('events before the first observation leave the case unknown', () => {
    const newer = { type: 'case.praised.v1', data: about } as unknown as CaseEvent;
    expect(folded(caseDecider, [changed({}), attributed, removed, restored(), newer])).toEqual({ status: 'unknown' });
    expect(folded(caseDecider, [opened(), newer])).toMatchObject(folded(caseDecider, [opened()]));
  });
});
