import { describe, expect, test } from '@jest/globals';
import { CallLog } from './call-log.js';

const arrival = { operation: 'invite', method: 'POST', path: '/', idempotency_key: 'k' };

describe('the call log', () => {
  test('keeps the last two hundred thousand calls', () => {
    const log = new CallLog(() => 0);
    for (let at = 0; at < 215_000; at++) log.start({ ...arrival, idempotency_key: null });
    const kept = log.find({});
    expect([kept.length, kept[0]?.seq, kept.at(-1)?.seq]).toEqual([200_000, 15_001, 215_000]);
  });

  test('counts the calls in flight under one key, and keeps the first outcome of each', () => {
    const log = new CallLog(() => 5);
    const first = log.start(arrival);
    expect(log.start(arrival).same_key_in_flight).toBe(2);
    log.finish(first, 'closed');
    log.finish(first, 201);
    expect(first).toMatchObject({ status: 'closed', finished_at: 5 });
    expect(log.start(arrival).same_key_in_flight).toBe(2);
  });
});
