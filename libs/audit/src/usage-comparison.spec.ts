import { describe, expect, it } from '@jest/globals';
import { HOUR, type Instant } from '#kernel';
import { type Month, type Pricing, type ProtectionInterval, type Switch } from '#usage';
import { creatorId, lumen } from './recording.fixtures.js';
import { compareUsage } from './usage-comparison.js';
import { usageDocument } from './usage-document.js';

const [mia, ivy] = ['mia', 'ivy'].map(creatorId) as [ReturnType<typeof creatorId>, ReturnType<typeof creatorId>];
const month = '2026-11' as Month;
const noon = Date.parse('2026-11-10T12:00:00Z');
const pricing: Pricing = { perCreatorMonth: 1_000, minimumMonthly: 0, currency: 'EUR' };

const by = (eventId: string, at: Instant): Switch => ({
  eventId,
  revision: 0,
  at,
  actor: 'key:key_1',
  requestId: `request of ${eventId}`,
  reason: 'api_request',
});
const interval = (creator: typeof mia, opened: Switch, closed: Switch | null = null): ProtectionInterval => ({
  creatorId: creator,
  opened,
  closed,
});
const document = (at: Instant, intervals: readonly ProtectionInterval[], of: Month = month) =>
  usageDocument({ agencyId: lumen, month: of, at, intervals, since: 0 }, pricing);

const on = by('on', noon);
const off = by('off', noon + 3 * HOUR);

describe('two explanations of a month', () => {
  it('differ in nothing when nothing came between', () => {
    const closed = [interval(mia, on, off)];
    expect(compareUsage(document(noon + 4 * HOUR, closed), document(noon + 9 * HOUR, closed)).creators).toEqual([]);
  });

  it('differ by what began, what ended, and what went on', () => {
    const before = document(noon + HOUR, [interval(mia, on), interval(ivy, by('ivy on', noon))]);
    const again = by('again', noon + 4 * HOUR);
    const after = document(noon + 5 * HOUR, [
      interval(mia, on, off),
      interval(mia, again),
      interval(ivy, by('ivy on', noon)),
    ]);
    const { creators } = compareUsage(before, after);
    expect(creators.find(({ creator_id }) => creator_id === mia)).toEqual({
      creator_id: mia,
      before_milliseconds: HOUR,
      after_milliseconds: 4 * HOUR,
      difference_milliseconds: 3 * HOUR,
      reasons: [
        { kind: 'ended', milliseconds: 2 * HOUR, event: expect.objectContaining({ event_id: 'off' }) },
        { kind: 'began', milliseconds: HOUR, event: expect.objectContaining({ event_id: 'again' }) },
      ],
    });
    expect(creators.find(({ creator_id }) => creator_id === ivy)?.reasons).toEqual([
      { kind: 'went_on', milliseconds: 4 * HOUR, event: expect.objectContaining({ event_id: 'ivy on' }) },
    ]);
    const sum = creators.flatMap(({ reasons }) => reasons).reduce((all, { milliseconds }) => all + milliseconds, 0);
    expect(sum).toBe(after.totals.active_milliseconds - before.totals.active_milliseconds);
  });

  it('say when the log no longer has the events of the earlier document', () => {
    const before = document(noon + 5 * HOUR, [interval(mia, on, off), interval(ivy, by('ivy on', noon))]);
    const after = document(noon + 5 * HOUR, [interval(mia, on)]);
    expect(compareUsage(before, after).creators.flatMap(({ reasons }) => reasons)).toEqual(
      expect.arrayContaining([
        { kind: 'not_in_this_log', milliseconds: 2 * HOUR, event: expect.objectContaining({ event_id: 'off' }) },
        { kind: 'not_in_this_log', milliseconds: -5 * HOUR, event: expect.objectContaining({ event_id: 'ivy on' }) },
      ]),
    );
  });

  it('cannot be compared when they are about other months', () => {
    expect(() => compareUsage(document(noon, [], '2026-10' as Month), document(noon, []))).toThrow('invalid_request');
  });
});

describe('an explanation', () => {
  it('clips to the month, sorts creators, and leaves out who was not active in it (D44)', () => {
    const october = by('october', Date.parse('2026-10-31T23:00:00Z'));
    const explained = document(noon, [
      interval(mia, october, by('november', Date.parse('2026-11-01T02:00:00Z'))),
      interval(ivy, by('same', noon - HOUR), by('moment', noon - HOUR)),
    ]);
    expect(explained.creators).toMatchObject([
      {
        creator_id: mia,
        active_milliseconds: 2 * HOUR,
        days: [{ date: '2026-11-01', active_milliseconds: 2 * HOUR, active_creator_count: 1 }],
        intervals: [{ from: Date.parse('2026-11-01T00:00:00Z'), opened_by: { event_id: 'october' } }],
      },
    ]);
    expect(explained.totals).toMatchObject({ active_creator_count: 1, creator_seconds: 7_200 });
    expect(explained.days).toHaveLength(10);
  });

  it('counts a creator once a day, however often it was switched', () => {
    const explained = document(noon + 9 * HOUR, [
      interval(mia, on, off),
      interval(mia, by('on again', noon + 4 * HOUR), by('off again', noon + 5 * HOUR)),
    ]);
    expect(explained.days.at(-1)).toEqual({
      date: '2026-11-10',
      active_milliseconds: 4 * HOUR,
      active_creator_count: 1,
    });
  });
});
