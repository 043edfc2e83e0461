import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, derivedId, type Instant } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import {
  type ImpersonationEvent,
  type ImpersonationState,
  impersonationDecider,
  impersonationIdOf,
  type NativeImpersonation,
  observeImpersonation,
  observeImpersonationRemoval,
  openImpersonation,
} from './impersonation.js';

const workspaceId = derivedId('workspace', agencyId('ag_lumen'));
const creatorId = derivedId('creator', 'mia');
const impersonationId = impersonationIdOf(workspaceId, creatorId, 'native-1');
const about = { impersonationId, creatorId };
const of = { ...about, workspaceId };
const LATER: Instant = 99_000;

const native = (changes: Partial<NativeImpersonation> = {}): NativeImpersonation => ({
  nativeId: 'native-1',
  platform: 'instagram',
  url: 'https://instagram.com/not_mia',
  username: 'not_mia',
  status: 'open',
  createdAt: 1_000,
  updatedAt: 2_000,
  ...changes,
});

const recorded = (changes: Partial<NativeImpersonation> = {}) => {
  const { nativeId, url, username, ...record } = native(changes);
  return { ...record, personal: { url, username } };
};
const opened = (changes: Partial<NativeImpersonation> = {}): ImpersonationEvent => ({
  type: 'impersonation.opened.v1',
  data: { ...of, nativeId: 'native-1', ...recorded(changes) },
});
const changed = (changes: Partial<NativeImpersonation>): ImpersonationEvent => ({
  type: 'impersonation.changed.v1',
  data: { ...about, ...recorded(changes) },
});
const removed: ImpersonationEvent = { type: 'impersonation.removed.v1', data: about };
const restored = (changes: Partial<NativeImpersonation> = {}): ImpersonationEvent => ({
  type: 'impersonation.restored.v1',
  data: { ...about, ...recorded(changes) },
});

const givenImpersonation = (past: Past<ImpersonationEvent>) => given(impersonationDecider, past);
const observe =
  (changes: Partial<NativeImpersonation> = {}, walkBegan: Instant = LATER) =>
  (state: ImpersonationState) =>
    observeImpersonation(state, of, native(changes), { began: walkBegan, now: LATER });
const miss =
  (began: Instant, now = LATER) =>
  (state: ImpersonationState) =>
    observeImpersonationRemoval(state, { began, now });
const answer =
  (changes: Partial<NativeImpersonation> = {}) =>
  (state: ImpersonationState) =>
    openImpersonation(state, of, native(changes));

describe('the id of an impersonation', () => {
  it('D54: follows from workspace, creator and native record', () => {
    expect(impersonationIdOf(workspaceId, creatorId, 'native-1')).toBe(impersonationId);
    expect(impersonationIdOf(workspaceId, creatorId, 'native-2')).not.toBe(impersonationId);
    expect(impersonationIdOf(workspaceId, derivedId('creator', 'eve'), 'native-1')).not.toBe(impersonationId);
    expect(impersonationIdOf(derivedId('workspace', 'other'), creatorId, 'native-1')).not.toBe(impersonationId);
    expect(impersonationId).toMatch(/^imp_[0-9a-hjkmnp-tv-z]{26}$/);
  });
});

describe('a record that is seen for the first time', () => {
  it('opens an impersonation, however old it is', () => {
    givenImpersonation([]).when(observe()).then([opened()]);
    givenImpersonation([]).when(observe({}, 0)).then([opened()]);
  });

  it('records only known fields', () => {
    const more = { ...native(), private_notes: 'upset', recipientContact: 'desk@host.example' };
    const events = observeImpersonation({ status: 'unknown' }, of, more, { began: LATER, now: LATER });
    expect(JSON.stringify(events)).not.toMatch(/upset|desk@/);
  });
});

describe('a record that is seen again', () => {
  it('appends nothing while it is the same', () => {
    givenImpersonation([opened()]).when(observe()).thenNothing();
  });

  it.each<[string, Partial<NativeImpersonation>]>([
    ['status', { status: 'reported' }],
    ['url', { url: 'https://instagram.com/not_mia2' }],
    ['username', { username: null }],
    ['platform', { platform: 'x' }],
    ['time of birth', { createdAt: 999 }],
  ])('is a change where its %s is another, at the same or a later time', (_what, changes) => {
    for (const updatedAt of [2_000, 2_001]) {
      givenImpersonation([opened()])
        .when(observe({ ...changes, updatedAt }))
        .then([changed({ ...changes, updatedAt })]);
    }
  });

  it('is a change if only its time differs, because agencies see the time', () => {
    givenImpersonation([opened()])
      .when(observe({ updatedAt: 2_001 }))
      .then([changed({ updatedAt: 2_001 })]);
  });

  it('is ignored if it is older than what is recorded', () => {
    givenImpersonation([opened()])
      .when(observe({ status: 'rejected', updatedAt: 1_999 }))
      .thenNothing();
    givenImpersonation([opened(), changed({ updatedAt: 3_000 })])
      .when(observe({ updatedAt: 2_999 }))
      .thenNothing();
  });
});

describe('a record that a complete walk did not show', () => {
  const seenAt = [at(5_000, opened())];

  it('is removed if it was recorded before the walk began', () => {
    givenImpersonation(seenAt).when(miss(5_001)).then([removed]);
    expect(folded(impersonationDecider, [...seenAt, removed])).toMatchObject({
      available: false,
      record: { url: 'https://instagram.com/not_mia', status: 'open' },
    });
  });

  it('is not removed if it was recorded or changed after the walk began', () => {
    givenImpersonation(seenAt).when(miss(5_000)).thenNothing();
    givenImpersonation([...seenAt, at(9_000, changed({ updatedAt: 3_000 }))])
      .when(miss(9_000))
      .thenNothing();
  });

  it('is removed only once, and only if it is known', () => {
    givenImpersonation([...seenAt, at(6_000, removed)])
      .when(miss(LATER))
      .thenNothing();
    givenImpersonation([]).when(miss(LATER)).thenNothing();
  });
});

describe('a record that comes back', () => {
  const gone = [at(5_000, opened()), at(6_000, removed)];

  it('is restored, changed or not', () => {
    givenImpersonation(gone).when(observe({}, 6_001)).then([restored()]);
    givenImpersonation(gone)
      .when(observe({ updatedAt: 7_000 }))
      .then([restored({ updatedAt: 7_000 })]);
    expect(folded(impersonationDecider, [...gone, restored()])).toMatchObject({ available: true });
  });

  it('is not restored by a walk that read it before its removal', () => {
    givenImpersonation(gone).when(observe({}, 6_000)).thenNothing();
    givenImpersonation(gone)
      .when(observe({ updatedAt: 7_000 }, 5_500))
      .thenNothing();
  });
});

describe('the answer to a report', () => {
  it('opens an unknown impersonation', () => {
    givenImpersonation([]).when(answer()).then([opened()]);
  });

  it('changes no known impersonation, because it may be the remembered first answer', () => {
    givenImpersonation([opened()])
      .when(answer({ status: 'reported', updatedAt: 9_000 }))
      .thenNothing();
    givenImpersonation([opened(), removed]).when(answer()).thenNothing();
  });
});

describe('laws of an impersonation', () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('observe' as const),
      changes: fc.record({ status: fc.constantFrom('open', 'removed'), updatedAt: fc.integer({ min: 0, max: 6 }) }),
      back: fc.integer({ min: 0, max: 3 }),
    }),
    fc.record({ kind: fc.constant('miss' as const), back: fc.integer({ min: 0, max: 3 }) }),
  );

  it('a repeated observation appends nothing; the time never decreases; only a walk removes it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30, size: 'max' }), (steps) => {
        let state: ImpersonationState = impersonationDecider.initial;
        steps.forEach((taken, index) => {
          const before = state;
          const began = index - taken.back;
          const decide = taken.kind === 'miss' ? miss(began) : observe(taken.changes, began);
          for (const event of decide(state)) {
            state = impersonationDecider.evolve(state, JSON.parse(JSON.stringify(event)), index);
          }
          expect(decide(state)).toEqual([]);
          if (before.status === 'unknown' || state.status === 'unknown') return;
          expect(state.record.updatedAt).toBeGreaterThanOrEqual(before.record.updatedAt);
          if (before.available && !state.available) expect(taken.kind).toBe('miss');
        });
      }),
    );
  });

  it('events before the first observation leave the impersonation unknown', () => {
    const newer = { type: 'impersonation.praised.v1', data: about } as unknown as ImpersonationEvent;
    expect(folded(impersonationDecider, [changed({}), removed, restored(), newer])).toEqual({ status: 'unknown' });
    expect(folded(impersonationDecider, [opened(), newer])).toMatchObject(folded(impersonationDecider, [opened()]));
  });
});
