import { METHODS } from 'node:http';
import { expect, test } from '@jest/globals';
import type { DeindexRequest, Impersonation } from '#client';
import { bodyOf } from '../support/api-client.js';
import { holdingsOf } from '../support/holdings.js';
import { sendRaw } from '../support/raw-http.js';
import { startService } from '../support/start-service.js';

// support/holds-everywhere.ts checks the headers that every answer of the suite must have.
const service = await startService();
const agency = await service.agency();
const { api } = agency;

const request = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const ofEvery = {
  'x-svc-mode': 'live',
  'x-request-id': expect.stringMatching(/^[\w-]{8,64}$/),
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

test.each([
  '*v1/me',
  '*',
  '**',
  'v1/me',
  '?',
  '#',
  '//',
  '/%',
  '\\',
  '/v1/me#x',
  '/docs',
  '/docs/',
  '/docs/redoc.js',
  '/docs/openapi.json',
  '/docs/nothing',
  '/docs/%00',
  '/openapi.json',
  '/health/live',
  '/health/ready',
])('GET %s is answered with the headers of every answer, with a key and without (D4, D73)', async (target) => {
  for (const secret of [api.secret, 'svc_live_nobody']) {
    const head = ['host: x', `authorization: Bearer ${secret}`, 'connection: close'];
    const { headers } = await sendRaw(service.url, request(`GET ${target} HTTP/1.1`, ...head));
    expect(headers).toMatchObject(ofEvery);
  }
});

test.each(METHODS)('%s is answered with the headers of every answer (D4, D73)', async (method) => {
  for (const target of ['/v1/me', '*', 'x:443']) {
    const { headers } = await sendRaw(
      service.url,
      request(`${method} ${target} HTTP/1.1`, 'host: x', 'connection: close'),
    );
    expect(headers).toMatchObject(ofEvery);
  }
});

test('a created resource has a Location, a repeat does not (D73)', async () => {
  const held = await holdingsOf(service, agency);
  const invitation = agency.inviteBody();
  const enrolled = await api.enroll(invitation);
  expect(enrolled.headers.location).toBe(`/v1/creators/${bodyOf<{ id: string }>(enrolled).id}`);
  expect((await api.get(String(enrolled.headers.location))).status).toBe(200);
  expect((await api.enroll(invitation)).headers.location).toBeUndefined();

  const creator = await agency.active();
  const queued = await api.queueScan(creator.id, 'located');
  expect(queued.headers.location).toBe(`/v1/scans/${bodyOf<{ id: string }>(queued).id}`);

  const requested = await api.requestDeindex(held.caseId, 'located');
  expect([requested.status, requested.headers.location]).toEqual([
    202,
    `/v1/deindex-requests/${bodyOf<DeindexRequest>(requested).id}`,
  ]);

  const reported = await api.reportImpersonation(creator.id, 'https://www.instagram.com/not_ivy', 'located');
  bodyOf<Impersonation>(reported);
  expect(reported.headers.location).toBe(`/v1/creators/${creator.id}/impersonations`);
});

test.each(['gzip', 'br', 'identity', 'x'])('a body with Content-Encoding %s is 415 (D73)', async (encoding) => {
  const { id } = await agency.linked();
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  for (const [method, path] of [
    ['PATCH', `/v1/creators/${id}`],
    ['PUT', `/v1/creators/${id}/protection`],
    ['DELETE', `/v1/creators/${id}`],
  ] as const) {
    const refused = await api.send(method, path, { headers, body: '{}' });
    expect(refused.outcome).toBe('415 unsupported_media_type');
    // D116
    expect(refused.headers['accept-encoding']).toBe('identity');
    expect(refused.text).toContain(`its Content-Encoding is ${encoding}.`);
  }
});
