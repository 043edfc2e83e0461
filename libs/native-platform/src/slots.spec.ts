import { beforeEach, describe, expect, test } from '@jest/globals';
import { agencyId, type UserId } from '#kernel';
import { failure, json, raw } from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import * as fixtures from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const A = agencyId('ag_1');
const U = fixtures.USER as UserId;

const { service, connect } = await scriptedService();
let platform: NativePlatform;
beforeEach(() => {
  platform = connect();
});

test.each([
  [{ fence: 9 }, { outcome: 'refused', code: 'stale_fence', fence: 9 }],
  [{}, { outcome: 'refused', code: 'stale_fence' }],
  [{ fence: '9' }, { outcome: 'unknown', error: expect.objectContaining({ code: 'provider_invalid_response' }) }],
  [{ fence: 2 ** 53 }, { outcome: 'unknown', error: expect.objectContaining({ code: 'provider_invalid_response' }) }],
])(
  'a slot call that is refused as stale has the highest fence that was seen, if the platform names one: %j',
  async (members, effect) => {
    service.answer(json(409, { error: { code: 'stale_fence', message: 'm', ...members } }));
    expect(await platform.client.occupySlot(A, U, 7)).toEqual(effect);
  },
);

describe('the list of slots', () => {
  const read = () => platform.client.listSlots(A, { limit: 2, after: U });
  const next = U.replace('0', '1').toUpperCase();

  test('is read by the last user of the page before', async () => {
    service.answer(json(200, { data: [{ user_id: next, fence: 9, held_since: 1 }], next_cursor: 'more' }));
    expect(await read()).toEqual({ slots: [{ userId: next.toLowerCase(), fence: 9 }], nextCursor: next.toLowerCase() });
    const [call] = service.calls;
    expect([call?.method, call?.url]).toEqual(['GET', `/agencies/ag_1/slots?limit=2&after=${U}`]);
    expect(call?.headers.fence).toBeUndefined();
  });

  test('leads on by its cursor where all slots of a page are held by the dashboard', async () => {
    service.answer(json(200, { data: [], next_cursor: next }));
    expect(await read()).toEqual({ slots: [], nextCursor: next.toLowerCase() });
  });

  test.each([failure(404, 'not_found'), raw(404, 'Cannot GET'), failure(404, 'no_such_route')])(
    'is missing on a platform that answers 404, in any way',
    async (reply) => {
      service.answer(reply);
      expect(await read()).toBeUndefined();
    },
  );

  test.each([
    [{ data: [{ user_id: next, fence: 0 }], next_cursor: null }],
    [{ data: [{ user_id: 'u', fence: 1 }], next_cursor: null }],
    [{ data: [{ user_id: U, fence: 1 }], next_cursor: null }],
    [{ data: [], next_cursor: 'more' }],
    [{ data: [], next_cursor: U }],
    [{ data: {}, next_cursor: null }],
  ])('is refused as a whole where a page cannot be read or does not lead on: %j', async (body) => {
    service.answer(json(200, body));
    await expect(read()).rejects.toMatchObject({ code: 'provider_invalid_response' });
  });
});
