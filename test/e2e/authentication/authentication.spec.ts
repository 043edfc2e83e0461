import { expect, test } from '@jest/globals';
import { DAY, SECOND } from '#kernel';
import { ApiClient } from '../support/api-client.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ platformHangs: true, env: { WEBHOOK_TARGETS: 'any' } });
const agency = await service.agency();

const withSecret = (secret: string) => new ApiClient(() => service.url, secret);

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

test('a platform that is not configured is agency_verification_unavailable (D19)', async () => {
  await service.restart({ platform: undefined });
  expect((await agency.api.get('/v1/me')).outcome).toBe('503 agency_verification_unavailable');
  await service.restart();
  await service.pass(SECOND);
  expect((await agency.api.get('/v1/me')).outcome).toBe('200');
});
