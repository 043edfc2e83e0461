import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { type CompleteWalk, isLeftToWorker, MAX_RECORDS_IN_REQUEST, RECORDS_PER_PAGE } from './long-list.js';

const NOW = 10 * DAY;
const options = { providerTimeout: 5 * SECOND, walkEvery: 15 * MINUTE };
const long: CompleteWalk = { through: NOW, records: MAX_RECORDS_IN_REQUEST + 1, readIn: SECOND };
const isLeft = (walk: Partial<CompleteWalk>, given = options) => isLeftToWorker({ ...long, ...walk }, NOW, given);

describe('a list (D80)', () => {
  it('is left to the worker if it has more records than a request reads', () => {
    expect(isLeft({})).toBe(true);
    expect(isLeft({ records: MAX_RECORDS_IN_REQUEST })).toBe(false);
  });

  it('is left to the worker if the platform takes more than half of the time that a request has', () => {
    expect(isLeft({ records: RECORDS_PER_PAGE + 1, readIn: 2.5 * SECOND + 1 })).toBe(true);
    expect(isLeft({ records: RECORDS_PER_PAGE + 1, readIn: 2.5 * SECOND })).toBe(false);
  });

  it('is never left to the worker if one page holds it', () => {
    expect(isLeft({ records: RECORDS_PER_PAGE, readIn: 4.9 * SECOND })).toBe(false);
  });

  it('is left to the worker only as long as the worker keeps up with its walks', () => {
    expect(isLeft({ through: NOW - HOUR })).toBe(true);
    expect(isLeft({ through: NOW - HOUR - 1 })).toBe(false);
    const daily = { ...options, walkEvery: DAY };
    expect(isLeft({ through: NOW - 4 * DAY }, daily)).toBe(true);
    expect(isLeft({ through: NOW - 4 * DAY - 1 }, daily)).toBe(false);
  });

  it('is left to the worker for an hour even if walks are made every few seconds, because one of a long list takes longer', () => {
    expect(isLeft({ through: NOW - HOUR }, { ...options, walkEvery: SECOND })).toBe(true);
  });

  it('is left to the worker if the clock of the worker is ahead, but not if it is ahead by more than an hour', () => {
    expect(isLeft({ through: NOW + SECOND })).toBe(true);
    expect(isLeft({ through: NOW + HOUR + 1 })).toBe(false);
  });
});
