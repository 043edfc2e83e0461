import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, type Instant } from '#kernel';
import { type Month, monthOf, spanOf } from '../domain/month.js';
import { usageFigures } from '../domain/usage-explanation.js';
import { Metered } from '../metered.fixtures.js';
import { usageIntervalsProjection } from './usage-intervals.js';
import { usageMonthsProjection } from './usage-months.js';

const at = (text: string) => Date.parse(text);

const metered = (events: Metered): Instant =>
  Math.max(0, ...events.documents(usageMonthsProjection).map((sum) => sum.metered));

/** By the intervals, and by the sums too, where these are valid. */
const figures = (events: Metered, name: string, through: Instant) => {
  const month = name as Month;
  const { start, end } = spanOf(month);
  const documents = events.documents(usageIntervalsProjection);
  const intervals = documents
    .filter((document) => document.month === month || (document.isOpen === 1 && document.from < start))
    .map(({ creatorId, from, to }) => ({ creatorId, opened: { at: from }, closed: to === null ? null : { at: to } }));
  const found = usageFigures(month, through, { intervals });
  const sums = events.documents(usageMonthsProjection);
  const areSumsValid = through === end || metered(events) < through;
  if (areSumsValid) expect(usageFigures(month, through, { sums })).toEqual(found);
  return { ...found, areSumsValid };
};

it('D44: do not count an interval of no length, closed or just begun', () => {
  const now = at('2026-11-10T00:00:00Z');
  const events = new Metered().interval('mia', now, now).switch('ivy', true, now);
  expect(figures(events, '2026-11', now)).toMatchObject({ active: 0, creators: 0 });
  expect(figures(events, '2026-11', now + 1)).toMatchObject({ active: 1, creators: 1 });
});

it('D81: count once a creator with time before the moment whose next interval begins at or after it', () => {
  const later = at('2026-11-05T00:00:00Z');
  const events = new Metered()
    .interval('mia', at('2026-11-01T00:00:00Z'), at('2026-11-02T00:00:00Z'))
    .switch('mia', true, later)
    .switch('ivy', true, later);
  for (const moment of [later, later - DAY]) {
    expect(figures(events, '2026-11', moment)).toMatchObject({ active: DAY, creators: 1, areSumsValid: false });
  }
  expect(figures(events, '2026-11', later + 1)).toMatchObject({ active: DAY + 2, creators: 2 });
});

it('D81: at the month’s beginning count no creator that is active since an earlier month', () => {
  const start = at('2026-11-01T00:00:00Z');
  const events = new Metered().switch('mia', true, start - DAY);
  expect(figures(events, '2026-11', start)).toMatchObject({ active: 0, creators: 0, areSumsValid: true });
  events.switch('ivy', true, start);
  expect(figures(events, '2026-11', start)).toMatchObject({ active: 0, creators: 0 });
  expect(figures(events, '2026-11', start + 1)).toMatchObject({ active: 2, creators: 2 });
});

it('the sums name their latest time, also if a clock was set back before the meter or another creator recorded one', () => {
  const [ten, twelve, noon] = ['T10:00:00Z', 'T12:00:00Z', 'T12:00:01Z'].map((time) => at(`2026-11-01${time}`)) as [
    Instant,
    Instant,
    Instant,
  ];
  const events = new Metered()
    .switch('mia', true, ten)
    .switch('mia', false, noon, undefined, ten)
    .switch('ivy', true, twelve);
  expect(metered(events)).toBe(noon);
});

const switches = fc.array(
  fc.record({
    creator: fc.constantFrom('mia', 'ivy', 'zoe'),
    on: fc.boolean(),
    // A clock that is set back now and then; intervals of no length, and up to a month's border.
    wait: fc.oneof({ weight: 6, arbitrary: fc.nat(20 * DAY) }, fc.constant(0), fc.integer({ min: -3 * DAY, max: 0 })),
  }),
  { maxLength: 60, size: 'max' },
);

it('of intervals and of sums agree, and are those of the switches, over year ends, leap days and clock jumps (D44)', () => {
  fc.assert(
    fc.property(switches, fc.nat(40 * DAY), fc.nat(30 * DAY), (all, later, before) => {
      const events = new Metered();
      const expected: { creator: string; from: Instant; to: Instant }[] = [];
      const open = new Map<string, Instant>();
      const lasts = new Map<string, Instant>();
      let now = at('2027-11-20T00:00:00Z');
      for (const { creator, on, wait } of all) {
        now += wait;
        // The times of a creator's stream never go back.
        const when = Math.max(now, lasts.get(creator) ?? 0);
        lasts.set(creator, when);
        events.switch(creator, on, when);
        const from = open.get(creator);
        if (on && from === undefined) open.set(creator, when);
        if (!on && from !== undefined) {
          expected.push({ creator, from, to: when });
          open.delete(creator);
        }
      }
      for (const [creator, from] of open) expected.push({ creator, from, to: Number.POSITIVE_INFINITY });
      // After all switches, where the sums are valid, and among them.
      for (const moment of [Math.max(now, ...lasts.values()) + 1 + later, now - before]) {
        for (const name of ['2027-11', '2027-12', '2028-01', '2028-02', '2028-03', monthOf(moment)]) {
          const { start, end } = spanOf(name as Month);
          if (start > moment) continue;
          const through = Math.min(moment, end);
          const shares = expected
            .map(({ creator, from, to }) => ({ creator, ms: Math.min(to, through) - Math.max(from, start) }))
            .filter(({ ms }) => ms > 0);
          expect(figures(events, name, through)).toMatchObject({
            active: shares.reduce((sum, { ms }) => sum + ms, 0),
            creators: new Set(shares.map(({ creator }) => creator)).size,
          });
        }
      }
    }),
    { numRuns: 100 },
  );
});
