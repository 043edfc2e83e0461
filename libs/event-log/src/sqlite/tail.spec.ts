import { beforeEach, expect, test } from '@jest/globals';
import { type Position, type StreamName, WrongExpectedRevision } from '#kernel';
import { events } from '../contract/given-events.js';
import { encodeAppend } from '../encoded-append.js';
import { Tail } from './tail.js';
import type { Verdict } from './writer.js';

let tail: Tail;
beforeEach(() => {
  tail = new Tail();
});

/** One group of appends to new streams, as the writer numbers them from a head on; the new head. */
const wrote = (before: Position, ...appends: readonly [stream: StreamName, count: number][]): Position => {
  const group = appends.map(([stream, count]) => encodeAppend(stream, 'none', events(count)));
  let position = before;
  const verdicts = appends.map(([, count]): Verdict => {
    position += count;
    return { revision: count - 1, position };
  });
  tail.wrote(group, { before, after: position, verdicts });
  return position;
};
const positions = (after: Position, more: { limit?: number; categories?: Set<string>; types?: Set<string> } = {}) => {
  const page = tail.page({ after, ...more });
  return page && { positions: page.events.map(({ position }) => position), reached: page.reached, atEnd: page.atEnd };
};

test('ends with the last group of this process', () => {
  expect(tail.end).toBeUndefined();
  wrote(10, ['thing-1', 2]);
  expect(tail.end).toBe(12);
  wrote(20, ['thing-2', 1]);
  expect(tail.end).toBe(21);
});

test('returns the written events in order, from any position in it', () => {
  expect(positions(0)).toBeUndefined();
  expect(wrote(10, ['thing-1', 2], ['other-1', 1])).toBe(13);
  expect(wrote(13, ['thing-2', 1])).toBe(14);
  expect(positions(10)).toEqual({ positions: [11, 12, 13, 14], reached: 14, atEnd: true });
  expect(positions(11)).toEqual({ positions: [12, 13, 14], reached: 14, atEnd: true });
  expect(tail.page({ after: 10 })?.events.map(({ stream, revision }) => [stream, revision])).toEqual([
    ['thing-1', 0],
    ['thing-1', 1],
    ['other-1', 0],
    ['thing-2', 0],
  ]);
});

test('knows nothing of what came before it, of what may follow it, and across what others wrote', () => {
  wrote(10, ['thing-1', 2]);
  expect(positions(9)).toBeUndefined();
  expect(positions(12)).toBeUndefined();
  wrote(15, ['thing-2', 1]);
  expect(positions(10)).toBeUndefined();
  expect(positions(14)).toBeUndefined();
  expect(positions(15)).toEqual({ positions: [16], reached: 16, atEnd: true });
});

test('filters, and ends a page at its limit', () => {
  const end = wrote(0, ['thing-1', 3], ['other-1', 2]);
  expect(positions(0, { categories: new Set(['other']) })).toEqual({ positions: [4, 5], reached: end, atEnd: true });
  expect(positions(0, { types: new Set(['nothing']) })).toEqual({ positions: [], reached: end, atEnd: true });
  expect(positions(0, { limit: 2 })).toEqual({ positions: [1, 2], reached: 2, atEnd: false });
  expect(positions(2, { limit: 3 })).toEqual({ positions: [3, 4, 5], reached: end, atEnd: true });
});

test('leaves out refused and repeated appends', () => {
  const group = ['thing-1', 'thing-2', 'thing-3'].map((stream) =>
    encodeAppend(stream as StreamName, 'none', events(1)),
  );
  const verdicts = [
    new WrongExpectedRevision('thing-1', 'none', 4),
    { revision: 0, position: 3 },
    { revision: 0, position: 8 },
  ];
  tail.wrote(group, { before: 7, after: 8, verdicts });
  expect(positions(7)).toEqual({ positions: [8], reached: 8, atEnd: true });
  tail.wrote(group.slice(0, 1), { before: 8, after: 8, verdicts: verdicts.slice(0, 1) });
  expect(positions(7)).toEqual({ positions: [8], reached: 8, atEnd: true });
});

test('holds an append once that was repeated immediately', () => {
  const [first, other] = [encodeAppend('thing-1', 'none', events(2)), encodeAppend('thing-2', 'none', events(1))];
  const verdicts = [
    { revision: 1, position: 9 },
    { revision: 0, position: 10 },
    { revision: 1, position: 9 },
  ];
  tail.wrote([first, other, first], { before: 7, after: 10, verdicts });
  expect(positions(7)).toEqual({ positions: [8, 9, 10], reached: 10, atEnd: true });
});

test('drops the oldest groups', () => {
  let end = 0;
  for (let n = 0; n < 50; n++) end = wrote(end, [`thing-${n}`, 100]);
  expect(positions(0)).toBeUndefined();
  expect(positions(end - 150)).toMatchObject({ reached: end, atEnd: true });
});
