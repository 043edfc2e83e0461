import { expect, test } from '@jest/globals';
import { Map as ImmutableMap } from 'immutable';
import { memorySizeOf } from './memory-size.js';

test('counts the characters of all texts, at any depth', () => {
  const creator = { identity: { aliases: Array.from({ length: 300 }, () => 'a'.repeat(160)) } };
  expect(memorySizeOf(creator)).toBeGreaterThan(300 * 160);
  expect(memorySizeOf(creator)).toBeLessThan(2 * 300 * 160);
});

test('counts two bytes for each character of a text that has one beyond Latin-1', () => {
  for (const text of ['美亚'.repeat(500), `${'a'.repeat(999)}Ł`])
    expect(memorySizeOf(text)).toBeGreaterThanOrEqual(2_000);
  expect(memorySizeOf('é'.repeat(1_000))).toBeLessThan(1_100);
});

test('estimates a long collection from a sample', () => {
  let measured = 0;
  const member = {
    get id() {
      measured++;
      return 'x'.repeat(100);
    },
  };
  const members = Array.from({ length: 100_000 }, (_, n) => [`user ${n}`, member] as const);
  const least = 100_000 * 100;
  for (const collection of [members, new Map(members), ImmutableMap(members)]) {
    measured = 0;
    const size = memorySizeOf(collection);
    expect(size).toBeGreaterThan(least);
    expect(size).toBeLessThan(4 * least);
    expect(measured).toBeGreaterThan(10);
    expect(measured).toBeLessThan(100);
  }
});
