import { expect, it } from '@jest/globals';
import { countText, replayWords } from './replay-queries.js';

it('adds up the counts of several endpoints, up to where counts stop', () => {
  expect(countText([{ count: 3, is_more: false }])).toBe('3');
  expect(
    countText([
      { count: 9_000, is_more: false },
      { count: 1_000, is_more: false },
    ]),
  ).toBe('10,000');
  expect(countText(Array.from({ length: 2 }, () => ({ count: 9_000, is_more: false })))).toBe('10,000+');
  expect(countText([{ count: 10_000, is_more: true }])).toBe('10,000+');
});

it("says the filters in the words of the operators' tool, safe for a shell", () => {
  expect(replayWords({ endpoint: 'whe_1', type: 'case.created', tab: 'undelivered' })).toBe(
    ' --type case.created --undelivered',
  );
  expect(replayWords({ answer: "5'; ls" })).toBe(String.raw` --answer '5'\''; ls'`);
  expect(replayWords({ tab: 'all' })).toBe('');
});
