import { expect, it } from '@jest/globals';
import { integer } from './fields.js';

it('reads a whole number, and minus zero as the zero that the log gives back', () => {
  expect(integer({ created_at: 12 }, 'created_at')).toBe(12);
  expect(integer(JSON.parse('{"created_at":-0}'), 'created_at')).toBe(0);
});
