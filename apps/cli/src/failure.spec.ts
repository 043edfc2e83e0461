import { expect, it } from '@jest/globals';
import { DomainError, invalidRequest } from '#kernel';
import { failureOf } from './failure.js';

const WORDS = ['keys', 'issue', '--agency', 'agency_demo'];

it('says when a refused command may succeed', () => {
  expect(failureOf(new DomainError('rate_limited', { retryAfterSeconds: 90 }), WORDS)).toEqual({
    code: 'rate_limited',
    message: 'rate limited; try again in 90 s',
  });
  expect(failureOf(new DomainError('capacity_reached'), WORDS).message).toBe('capacity reached');
});

it('names the fields of wrong input, and the words for what does not exist', () => {
  expect(failureOf(invalidRequest({ field: 'url', message: 'must be https' }), WORDS).message).toBe(
    'url must be https',
  );
  expect(failureOf(new DomainError('not_found'), WORDS).message).toBe('not found: keys issue --agency agency_demo');
});
