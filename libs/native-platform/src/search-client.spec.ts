import { beforeEach, describe, expect, test } from '@jest/globals';
import { agencyId, type DeindexRequestId, type UserId } from '#kernel';
import { failure, json } from '../../testing/src/scripted-platform.js';
import { createNativePlatform, type NativePlatform } from './native-platform.js';
import { DEINDEX_REQUEST, submission as record } from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const DIX = DEINDEX_REQUEST as DeindexRequestId;
const order = {
  reference: DIX,
  agencyId: agencyId('ag_lumen'),
  userId: '0b0e7a52-4f7e-4bb1-9d5c-6a2f3c1d0e01' as UserId,
  leakId: 'leak-1',
  url: 'https://leaks.example/lea?a=b#c',
};
const submission = {
  status: 'submitted',
  submittedToProvider: true,
  removalVerified: false,
  errorCode: null,
  updatedAt: 1_790_000_000_000,
};

const { service, connect } = await scriptedService();
let platform: NativePlatform;
beforeEach(() => {
  platform = connect({ search: { url: `${service.url}/base/`, token: 'search-token' } });
});

const sent = () => service.calls.map(({ method, url }) => `${method} ${url}`);

describe('submitting', () => {
  test('bears the reference as its key, and all that was ordered', async () => {
    service.answer(json(202, { ...record, notes: 'x' }));
    expect(await platform.search.submit(order)).toStrictEqual({ outcome: 'done', value: submission });
    const [call] = service.calls;
    expect(sent()).toEqual(['POST /base/deindex-submissions']);
    expect(call?.headers).toMatchObject({ 'idempotency-key': DIX, authorization: 'Bearer search-token' });
    expect(call?.body).toEqual({
      reference: DIX,
      agency_id: 'ag_lumen',
      user_id: order.userId,
      leak_id: 'leak-1',
      url: order.url,
    });
  });

  test('is refused by a 422 alone (D51)', async () => {
    service.answer(failure(422, 'not_deindexable'));
    expect(await platform.search.submit(order)).toEqual({ outcome: 'refused', code: 'not_deindexable' });
    for (const status of [400, 401, 404, 409, 429, 500, 503]) {
      service.answer(failure(status, 'no'));
      expect(await platform.search.submit(order)).toMatchObject({ outcome: 'unknown' });
    }
    for (const answer of [json(200, record), json(202, { ...record, reference: 'dix_x' }), json(202, {})]) {
      service.answer(answer);
      expect(await platform.search.submit(order)).toMatchObject({ outcome: 'unknown' });
    }
  });
});

describe('looking up', () => {
  test('finds one or none, by its reference', async () => {
    service.answer(json(200, { data: [record] }), json(200, { data: [] }));
    expect(await platform.search.find(DIX)).toStrictEqual(submission);
    expect(await platform.search.find(DIX)).toBeUndefined();
    expect(sent()).toEqual(Array(2).fill(`GET /base/deindex-submissions?reference=${DIX}`));
  });

  test('treats no other answer as "none", because after a "none" a call may be sent again', async () => {
    for (const answer of [failure(404, 'not_found'), json(200, { data: [record, record] }), json(200, {})]) {
      service.answer(answer);
      await expect(platform.search.find(DIX)).rejects.toMatchObject({ code: 'provider_invalid_response' });
    }
  });
});

test('without a provider there is nothing to deindex with', async () => {
  const { search, close } = createNativePlatform({ timeout: 1_000 });
  expect(search.configured).toBe(false);
  await expect(search.submit(order)).rejects.toMatchObject({ code: 'svc_engine_not_configured' });
  await expect(search.find(DIX)).rejects.toMatchObject({ code: 'svc_engine_not_configured' });
  await close();
});
