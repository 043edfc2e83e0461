import { beforeEach, describe, expect, test } from '@jest/globals';
import { agencyId } from '#kernel';
import { failure, json, raw } from '../../testing/src/scripted-platform.js';
import type { NativePlatform } from './native-platform.js';
import type { RefusedReport } from './provider.js';
import { scriptedService } from './testing/scripted-service.js';

const A = agencyId('ag_lumen');
const card = { id: 'pm_1', kind: 'card', label: 'Visa •••• 4242', expires: '2028-04', is_default: true };
const session = { url: 'https://pay.example/s/1?a=b', expires_at: 1_790_000_000_000 };
const REQUEST = { reference: 'page-1', returnUrl: 'https://api.example/dashboard/billing' };

const { service, connect } = await scriptedService();
let platform: NativePlatform;
let refused: RefusedReport[];
beforeEach(() => {
  refused = [];
  platform = connect({ onRefused: (report) => refused.push(report) });
});

const methods = () => platform.client.listPaymentMethods(A);
const open = () => platform.client.createBillingSession(A, REQUEST);

describe('the payment methods', () => {
  test('are shown as the platform has them, without what the contract does not name', async () => {
    const wire = { id: 'pm_2', kind: 'virement', label: 'SEPA', is_default: false, iban: 'DE89' };
    service.answer(json(200, { data: [card, wire] }));
    expect(await methods()).toStrictEqual([
      { id: 'pm_1', kind: 'card', label: 'Visa •••• 4242', expires: '2028-04', isDefault: true },
      { id: 'pm_2', kind: 'virement', label: 'SEPA', expires: null, isDefault: false },
    ]);
    expect(service.calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /agencies/ag_lumen/payment-methods',
    ]);
  });

  test.each<[string, object]>([
    ['a label of 101 characters', { label: 'x'.repeat(101) }],
    ['a blank label', { label: ' ' }],
    ['a full number', { label: 'Visa 4242 4242 4242 4242' }],
    ['a month that does not exist', { expires: '2028-13' }],
    ['a default that is no boolean', { is_default: 'yes' }],
    ['an id that occurred before', { id: card.id }],
  ])('D65: one with %s is left out and reported, and the others are shown', async (_, change) => {
    service.answer(json(200, { data: [card, { ...card, id: 'pm_2', ...change }] }));
    expect(await methods()).toHaveLength(1);
    expect(refused).toMatchObject([{ kind: 'payment_method', records: [{ id: expect.stringContaining('pm_') }] }]);
  });

  test('D65: more than a hundred cannot be used', async () => {
    service.answer(json(200, { data: Array.from({ length: 101 }, (_, n) => ({ ...card, id: `pm_${n}` })) }));
    await expect(methods()).rejects.toMatchObject({ code: 'provider_invalid_response' });
  });
});

describe('a page to manage them', () => {
  test('is asked for once, under its own key', async () => {
    service.answer(json(201, session));
    expect(await open()).toStrictEqual({ outcome: 'done', value: { url: session.url, expiresAt: session.expires_at } });
    expect(service.calls).toMatchObject([
      {
        method: 'POST',
        url: '/agencies/ag_lumen/billing-sessions',
        headers: { 'idempotency-key': 'page-1' },
        body: { reference: 'page-1', return_url: REQUEST.returnUrl },
      },
    ]);
  });

  test('may be one of this machine, without encryption', async () => {
    for (const url of ['http://127.0.0.1:4010/billing/1', 'http://localhost/x', 'http://[::1]:80/x']) {
      service.answer(json(201, { ...session, url }));
      expect(await open()).toMatchObject({ outcome: 'done', value: { url } });
    }
  });

  test.each([
    'http://pay.example/s/1',
    'http://127.0.0.1.example/s/1',
    'https://user@pay.example/s/1',
    'javascript:alert(1)',
    '/s/1',
    `https://pay.example/${'x'.repeat(2_048)}`,
  ])('is no %s', async (url) => {
    service.answer(json(201, { ...session, url }));
    expect(await open()).toMatchObject({ outcome: 'unknown', error: { code: 'provider_invalid_response' } });
  });

  test('that was not answered has an unknown outcome', async () => {
    service.answer(failure(503, 'try_later'));
    expect(await open()).toMatchObject({ outcome: 'unknown', error: { code: 'provider_unavailable' } });
    service.answer(failure(400, 'invalid_request'));
    expect(await open()).toEqual({ outcome: 'refused', code: 'invalid_request' });
  });
});

test.each([
  ['the contract’s refusal', failure(404, 'not_offered')],
  ['an unknown route', raw(404, '<h1>Not found</h1>')],
  ['a route without the method', raw(405, '')],
  ['a route that is not implemented', failure(501, 'not_implemented')],
])('%s means that the platform does not offer them', async (_, answer) => {
  service.answer(answer);
  expect(await methods()).toBeUndefined();
  expect(await open()).toEqual({ outcome: 'refused', code: 'not_offered' });
  expect(service.calls).toHaveLength(2);
});
