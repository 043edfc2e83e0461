import { expect, test } from '@jest/globals';
import { DAY, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import { ApiClient } from '../support/api-client.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true, env: { WEBHOOK_TARGETS: 'any' } });
const agency = await service.agency();

const withSecret = (secret: string) => new ApiClient(() => service.url, secret);

test.each([
  ['unknown', () => `svc_live_${'A'.repeat(43)}`],
  ['that lacks its last character', () => agency.api.secret.slice(0, -1)],
  ['with one more character', () => `${agency.api.secret}A`],
  ['of test mode', () => agency.api.secret.replace('svc_live_', 'svc_test_')],
  ['without its prefix', () => agency.api.secret.slice('svc_live_'.length)],
  ['in other case', () => agency.api.secret.toUpperCase()],
  ['that is the record id of a key', () => agency.keyId],
])('a key %s is 401 (D17)', async (_, secret) => {
  expect((await withSecret(secret()).get('/v1/me')).outcome).toBe('401 unauthorized');
});

test.each([
  ['no header at all', () => []],
  ['a scheme other than Bearer', () => `Basic ${agency.api.secret}`],
  ['the secret alone', () => agency.api.secret],
  ['an empty token', () => 'Bearer '],
  ['two tokens', () => `Bearer ${agency.api.secret} ${agency.api.secret}`],
  ['two keys in a list', () => `Bearer ${agency.api.secret}, Bearer ${agency.api.secret}`],
])('%s is 401', async (_, authorization) => {
  const { outcome } = await agency.api.get('/v1/me', { authorization: authorization() });
  expect(outcome).toBe('401 unauthorized');
});

test('a key in the query is ignored', async () => {
  const { outcome } = await withSecret('none').get(`/v1/me?access_token=${agency.api.secret}`);
  expect(outcome).toBe('401 unauthorized');
});

test('a revoked key stops working immediately, and the others still work', async () => {
  const { api, keyId } = await agency.issueKey();
  expect((await api.get('/v1/me')).outcome).toBe('200');
  await agency.revokeKey(keyId);
  expect((await api.get('/v1/me')).outcome).toBe('401 unauthorized');
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});

test.each([
  ['30d', 30 * DAY],
  ['90d', 90 * DAY],
] as const)('a key of %s works until that very millisecond (D17)', async (lifetime, length) => {
  const { api } = await agency.issueKey({ lifetime });
  service.clock.advance(length - 1);
  expect((await api.get('/v1/me')).outcome).toBe('200');
  service.clock.advance(1);
  expect((await api.get('/v1/me')).outcome).toBe('401 unauthorized');
  await service.quiet();
});

test('the answer does not say why a key is refused (D17)', async () => {
  const revoked = await agency.issueKey();
  await agency.revokeKey(revoked.keyId);
  const expired = await agency.issueKey({ lifetime: '30d' });
  await service.pass(30 * DAY);
  const refusals = [revoked.api, expired.api, withSecret('svc_test_x'), withSecret('svc_live_x')].map(async (api) => {
    const { text, headers } = await api.get('/v1/me');
    return text.replace(String(headers['x-request-id']), '');
  });
  expect(new Set(await Promise.all(refusals)).size).toBe(1);
});

const DENIALS: readonly (readonly [string, string, (denied: Agency) => Promise<unknown>])[] = [
  ['owner changed', '403 agency_owner_changed', (denied) => denied.change({ owner_user_id: crypto.randomUUID() })],
  ['KYC not approved', '403 agency_kyc_required', (denied) => denied.change({ kyc_status: 'pending' })],
  ['onboarding incomplete', '403 agency_account_required', (denied) => denied.change({ onboarding_complete: false })],
  [
    'unknown',
    '403 agency_account_required',
    (denied) => fault(denied, { kind: 'refuse', status: 404, code: 'not_found' }),
  ],
];

const fault = (denied: Agency, what: { kind: string; status?: number; code?: string }) =>
  service.platform.fault({ operation: 'getAgency', match: { agency_id: denied.id }, ...what });

test('the agency is denied for the first reason that applies, later ones added before earlier ones (D19)', async () => {
  const denied = await service.agency();
  for (const [, outcome, deny] of DENIALS) {
    await deny(denied);
    expect((await denied.api.get('/v1/me')).outcome).toBe(outcome);
  }
  await service.platform.heal();
  await fault(denied, { kind: 'status', status: 503 });
  expect((await denied.api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
});

test.each(['rejected', 'pending'])(
  'KYC that is %s is agency_kyc_required on every route, also for reads',
  async (kyc_status) => {
    const denied = await service.agency();
    await denied.change({ kyc_status });
    for (const path of ['/v1/me', '/v1/creators', '/v1/events', '/v1/scans/x']) {
      expect((await denied.api.get(path)).outcome).toBe('403 agency_kyc_required');
    }
  },
);

test.each([
  ['is down', { kind: 'close_before' }],
  ['fails', { kind: 'status', status: 500 }],
  ['refuses our token', { kind: 'status', status: 401 }],
  ['breaks off', { kind: 'broken_json' }],
  ['answers nonsense', { kind: 'wrong_shape' }],
  ['does not answer', { kind: 'hang' }],
])('a platform that %s is agency_verification_unavailable (D19)', async (_, what) => {
  const denied = await service.agency();
  await fault(denied, what);
  expect((await denied.api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
  await service.platform.heal();
  expect((await denied.api.get('/v1/me')).outcome).toBe('200');
});

test("what an operator does is recorded in the agency's workspace, regardless of the command's context", async () => {
  const { api, keyId } = await agency.issueKey();
  await agency.revokeKey(keyId);
  expect((await api.get('/v1/me')).outcome).toBe('401 unauthorized');
  const receiver = await Receiver.start();
  const { id } = await agency.endpoint(receiver.url);
  await agency.rotate(id);
  await agency.ping(id);
  await agency.disable(id);
  const { log } = service.services;
  for (const stream of [`agency-${agency.id}`, `apiKey-${keyId}`, `webhookEndpoint-${id}`] as const) {
    const byOperator = (await log.readStream(stream)).filter(({ metadata }) => metadata.actor === 'operator:e2e');
    expect(byOperator.length).toBeGreaterThan(0);
    for (const { metadata } of byOperator) expect(metadata.workspaceId).toBe(agency.workspaceId);
  }
});

test('an unknown key is 401 also while no agency can be verified (D1)', async () => {
  await service.platform.fault({ operation: 'getAgency', kind: 'close_before' });
  expect((await withSecret('none').get('/v1/me')).outcome).toBe('401 unauthorized');
});

test('a platform that is not configured is agency_verification_unavailable (D19)', async () => {
  await service.restart({ platform: undefined });
  expect((await agency.api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
  await service.restart();
  await service.pass(SECOND);
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});
