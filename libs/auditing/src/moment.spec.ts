import { describe, expect, it } from '@jest/globals';
import { parseMoment } from './moment.js';

describe('a moment', () => {
  it.each([
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T09:30Z', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21T09:30:15.250Z', Date.UTC(2026, 10, 21, 9, 30, 15, 250)],
    ['2026-11-21T09:30:00+02:00', Date.UTC(2026, 10, 21, 7, 30)],
    ['1763717400000', 1763717400000],
  ])('may be the time %s', (text, at) => {
    expect(parseMoment(text)).toEqual({ kind: 'time', at });
  });

  it.each(['01932b1e-4f3a-7c2d-9e11-0123456789ab', 'evt_01h2xcejqtf2nbrexx3vqjhp41'])(
    'may be the event %s',
    (eventId) => {
      expect(parseMoment(eventId)).toEqual({ kind: 'event', eventId });
    },
  );

  it.each([
    '',
    'yesterday',
    '2026-11-21T09:30',
    '2026-13-01',
    '2026-11-21T25:00Z',
    'crt_01h2xcejqtf2nbrexx3vqjhp41',
    '-1',
  ])('is not %j: a time without its offset is nobody’s', (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});
