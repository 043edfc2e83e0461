import { isDeepStrictEqual } from 'node:util';
import { type Answer, Refusal } from './answer.js';

/**
 * Results of 2xx by Idempotency-Key, for good. The contract gives a key no scope, so it has none but the service: a key
 * that stood for an invitation cannot stand for its resend.
 */
export class Remembered {
  private readonly results = new Map<string, { request: unknown; answer: Answer }>();

  once(key: string, request: unknown, effect: () => Answer): Answer {
    const earlier = this.results.get(key);
    if (earlier && !isDeepStrictEqual(earlier.request, request)) throw new Refusal(409, 'idempotency_conflict');
    if (earlier) return earlier.answer;
    const answer = structuredClone(effect());
    this.results.set(key, { request, answer });
    return answer;
  }
}
