import { afterEach, describe, expect, it } from '@jest/globals';
import { asInstant, asMoment, asPath } from './arguments.js';

describe('D108: a point in time', () => {
  it.each([
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T09:30Z', Date.UTC(2026, 10, 21, 9, 30)],
    ['2026-11-21T09:30:15.250Z', Date.UTC(2026, 10, 21, 9, 30, 15, 250)],
    ['2026-11-21T09:30:00+02:00', Date.UTC(2026, 10, 21, 7, 30)],
    ['1763717400000', 1763717400000],
  ])('may be %s', (text, at) => {
    expect(asInstant(text)).toBe(at);
    expect(asMoment(text)).toEqual({ kind: 'time', at });
  });

  it.each([
    '',
    'yesterday',
    '2026-11-21T09:30',
    '2026-13-01',
    '2028-02-30',
    '2027-02-29T09:30Z',
    '2026-11-21T25:00Z',
    'crt_01h2xcejqtf2nbrexx3vqjhp41',
    '１７６３７１７４０００００',
  ])('is not %j: a time without its offset is nobody’s', (text) => {
    expect(() => asInstant(text)).toThrow(/^It must be a date .*, an ISO 8601 time with an offset, or epoch milli/);
  });

  it.each([
    ['1795000000', '1795000000 looks like seconds: write 1795000000000, or an ISO 8601 time.'],
    ['1795000000.25', '1795000000.25 looks like seconds: write 1795000000250, or an ISO 8601 time.'],
    ['1795000000123.4', '1795000000123.4 looks like milliseconds with a fraction: write 1795000000123, or an ISO'],
    ['1795000000123456', '1795000000123456 looks like microseconds: write 1795000000123, or an ISO 8601 time.'],
    ['1795000000123456789', '1795000000123456789 looks like nanoseconds: write 1795000000123, or an ISO 8601 time.'],
    ['20261127', '20261127 looks like a date: write 2026-11-27.'],
    ['20261327', '20261327 is not a time: epoch milliseconds have thirteen digits.'],
    ['2026', '2026 is not a time: epoch milliseconds have thirteen digits.'],
    ['0', '0 is not a time: epoch milliseconds have thirteen digits.'],
  ])('is not %s, and the refusal says what it may be', (text, message) => {
    expect(() => asInstant(text)).toThrow(message);
    expect(() => asMoment(text)).toThrow(message);
  });
});

it('a moment may be an event too', () => {
  const eventId = 'evt_01h2xcejqtf2nbrexx3vqjhp41';
  expect(asMoment(eventId)).toEqual({ kind: 'event', eventId });
});

describe('D113: a path', () => {
  const { INIT_CWD } = process.env;
  afterEach(() => {
    if (INIT_CWD === undefined) delete process.env.INIT_CWD;
    else process.env.INIT_CWD = INIT_CWD;
  });

  it('counts from where the person typed it', () => {
    process.env.INIT_CWD = '/home/mia';
    expect(asPath('backups/today')).toBe('/home/mia/backups/today');
    expect(asPath('../seal.json')).toBe('/home/seal.json');
    expect(asPath('/backups')).toBe('/backups');
  });

  it('counts from the folder of the process if npm has not started it', () => {
    delete process.env.INIT_CWD;
    expect(asPath('seal.json')).toBe(`${process.cwd()}/seal.json`);
  });
});
