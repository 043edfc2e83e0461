import { expect, it } from '@jest/globals';
import { countText, deliveredText, replayWords } from './replay-queries.js';

const count = (matching: number, isMore = false, delivered = 0) => ({ count: matching, delivered, is_more: isMore });

it('adds up the counts of several endpoints, up to where counts stop', () => {
  expect(countText([count(1)])).toBe('1 delivery');
  expect(countText([count(9_000), count(1_000)])).toBe('10,000 deliveries');
  expect(countText([count(9_000), count(9_000)])).toBe('10,000+ deliveries');
  expect(countText([count(10_000, true)])).toBe('10,000+ deliveries');
});

it('says how many receivers get an event again', () => {
  expect(deliveredText([count(3), count(2)])).toBe('None of them was delivered before.');
  expect(deliveredText([count(3, false, 1), count(2)])).toBe('1 of them was delivered before.');
  expect(deliveredText([count(10_000, true, 9_000)])).toBe('At least 9,000 of them were delivered before.');
});

it("says the filters in the words of the operators' tool, safe for a shell", () => {
  expect(replayWords({ endpoint: 'whe_1', type: 'case.created', tab: 'undelivered' })).toBe(
    ' --type case.created --undelivered',
  );
  expect(replayWords({ answer: "5'; ls" })).toBe(String.raw` --answer '5'\''; ls'`);
  expect(replayWords({ tab: 'all' })).toBe('');
});
