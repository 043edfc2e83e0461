import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { DAY, MINUTE, type WebhookEndpointId } from '#kernel';
import { DashboardPage } from '../support/dashboard-page.js';
import { isSigned, Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });

const managing = async () => {
  const agency = await service.agency();
  const owner = await DashboardPage.ofOwner(service, agency);
  const receiver = await Receiver.start();
  return { agency, owner, receiver };
};

interface Registered {
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly secret: string;
}

const registering = async (types?: readonly string[]) => {
  const managed = await managing();
  const { owner, receiver } = managed;
  const { status, body } = await owner.post<Registered>('/endpoints', { url: receiver.url, ...(types && { types }) });
  expect(status).toBe(201);
  return { ...managed, ...body };
};

const listed = async (owner: DashboardPage) => (await owner.get<{ data: object[] }>('/endpoints')).body.data;

const lastEvent = async (id: string) => {
  const events = await service.services.log.readStream(`webhookEndpoint-${id}`, { direction: 'backwards', limit: 1 });
  return events[0];
};

test('an owner registers an endpoint, which is listed; the secret is shown only then', async () => {
  const { owner, id, url, secret } = await registering(['case.created']);
  expect(secret).toMatch(/^whsec_/);
  const endpoints = await listed(owner);
  expect(endpoints).toEqual([
    {
      id,
      url,
      types: ['case.created'],
      status: 'active',
      created_at: expect.any(Number),
      disabled_reason: null,
      is_failing: false,
      success_rate: null,
      latency_ms: null,
      pending: 0,
      last_failure_at: null,
      disables_at: null,
    },
  ]);
  expect((await lastEvent(id))?.metadata.actor).toBe(owner.actor);
});

test('the list shows how an endpoint answers, and from half of five days on when it will be disabled (D82)', async () => {
  const { agency, owner, receiver } = await registering();
  receiver.answers(503);
  await agency.linked();
  const failing = service.clock.now();
  await service.quiet();
  expect(await listed(owner)).toMatchObject([
    {
      success_rate: 0,
      latency_ms: expect.any(Number),
      pending: 1,
      last_failure_at: expect.any(Number),
      disables_at: null,
    },
  ]);
  receiver.answers(200);
  await service.pass(2 * MINUTE);
  expect(await listed(owner)).toMatchObject([{ success_rate: 0.5, pending: 0 }]);
  receiver.answers(503);
  await agency.linked();
  await service.quiet();
  const again = service.clock.now();
  await service.pass(2.5 * DAY);
  const later = await DashboardPage.ofOwner(service, agency);
  const [{ disables_at: disablesAt }] = (await listed(later)) as [{ disables_at: number }];
  expect(disablesAt).toBeGreaterThan(failing + 5 * DAY);
  expect(disablesAt).toBeLessThanOrEqual(again + 5 * DAY);
});

test('the page of an endpoint has its days, its failures by answer, and the secrets that sign (D61)', async () => {
  const { agency, owner, receiver, id, secret } = await registering();
  await agency.linked();
  await service.quiet();
  receiver.answers(503);
  await agency.linked();
  await agency.linked();
  await service.quiet();
  await owner.post(`/endpoints/${id}/rotate`, { overlap: '24h' });
  const { status, body } = await owner.get(`/endpoints/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    is_failing: true,
    failing_since: expect.any(Number),
    days: [
      { day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), delivered: 1, failed: 2, latency_ms: expect.any(Number) },
    ],
    failures: [{ status: 503, error: 'refused', count: 2, last_at: expect.any(Number) }],
    secrets: [{ until: null }, { until: expect.any(Number) }],
  });
  expect(JSON.stringify(body)).not.toContain(secret);
  const stranger = await DashboardPage.ofOwner(service, await service.agency());
  expect((await stranger.get(`/endpoints/${id}`)).status).toBe(404);
});

test('a test shows what was sent and the status of the answer, and nothing of its body (D59)', async () => {
  const { owner, receiver, id, secret } = await registering();
  receiver.answers(418);
  const { status, body } = await owner.post(`/endpoints/${id}/test`);
  expect(status).toBe(201);
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing came');
  expect(body).toEqual({
    headers: expect.objectContaining({ 'X-SVC-Signature': received.headers['x-svc-signature'] }),
    body: received.body.toString(),
    status: 418,
    ms: expect.any(Number),
    error: 'refused',
    remedy: 'The receiver refused the request. Its log says why.',
  });
  expect(isSigned(received, secret, service.clock.now())).toBe(true);
});

test.each([
  ['0', 1],
  ['24h', 2],
  ['7d', 2],
])('a rotation with an overlap of %s leaves %i signatures', async (overlap, signatures) => {
  const { owner, receiver, id, secret } = await registering();
  const { body } = await owner.post<{ secret: string }>(`/endpoints/${id}/rotate`, { overlap });
  expect(body.secret).not.toBe(secret);
  await owner.post(`/endpoints/${id}/test`);
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing came');
  expect(String(received.headers['x-svc-signature']).split('v1=').length - 1).toBe(signatures);
  expect(isSigned(received, body.secret, service.clock.now())).toBe(true);
});

test('an owner chooses event types, disables and enables (D104, D82)', async () => {
  const { owner, id } = await registering();
  const put = (types: unknown) => owner.put(`/endpoints/${id}/types`, { types });
  expect(await put(['scan.failed', 'case.created'])).toEqual({
    status: 200,
    body: { id, types: ['scan.failed', 'case.created'] },
  });
  for (const types of [[], ['case.moved'], 'case.created']) {
    expect(await put(types)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
  }
  expect((await put(null)).body).toEqual({ id, types: null });
  expect(await owner.post(`/endpoints/${id}/disable`)).toEqual({ status: 201, body: { id, status: 'disabled' } });
  expect(await listed(owner)).toMatchObject([{ status: 'disabled', disabled_reason: 'operator' }]);
  expect((await owner.post(`/endpoints/${id}/enable`)).body).toEqual({ id, status: 'active' });
});

test('a member reads and changes nothing; nobody sees the endpoints of another agency', async () => {
  const { agency, id } = await registering();
  const member = await DashboardPage.ofMember(service, agency);
  expect(await listed(member)).toMatchObject([{ id }]);
  const stranger = await DashboardPage.ofOwner(service, await service.agency());
  for (const action of ['test', 'rotate', 'disable', 'enable']) {
    const body = action === 'rotate' ? { overlap: '0' } : {};
    expect((await member.post(`/endpoints/${id}/${action}`, body)).status).toBe(403);
    expect((await stranger.post(`/endpoints/${id}/${action}`, body)).status).toBe(404);
  }
  expect((await stranger.put(`/endpoints/${id}/types`, { types: null })).status).toBe(404);
  expect(await listed(stranger)).toEqual([]);
});

test.each([
  ['X-SVC-Signature', ['x-svc-event-id', 'x-svc-signature'], 'v1='],
  ['the headers of Standard Webhooks', ['webhook-id', 'webhook-timestamp', 'webhook-signature'], 'v1,'],
])('"Check a signature" says by %s why a receiver may have refused a request', async (_, names, mark) => {
  const { agency, owner, receiver, id, secret } = await registering();
  await agency.linked();
  await service.quiet();
  const [received] = receiver.received;
  if (received === undefined) throw new Error('nothing came');
  const sent = Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
  const [idName = '', signatureName = ''] = [names[0], names.at(-1)];
  const check = async (headers: object = sent, body: string | Buffer = received.body) => {
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { status, body: answer } = await owner.post('/signature-check', { endpoint: id, headers, sha256 });
    return [status, answer.verdict ?? (answer.error as { code: string }).code];
  };
  expect(await check()).toEqual([200, 'valid']);
  expect(await check(sent, ` ${received.body}`)).toEqual([200, 'bytes']);
  const [before] = String(sent[signatureName]).split(mark);
  const forged = { [signatureName]: `${before}${mark}${'0'.repeat(64)}` };
  expect(await check({ ...sent, ...forged })).toEqual([200, 'unknown_secret']);
  expect(await check({ ...received.headers, ...forged })).toEqual([200, 'unknown_secret']);
  expect(await check(received.headers)).toEqual([200, 'valid']);
  expect(await check({ [idName]: sent[idName] })).toEqual([400, 'invalid_request']);
  expect(await check({ ...sent, [signatureName]: 'v2' })).toEqual([400, 'invalid_request']);
  expect(await check({ ...sent, [idName]: 'evt_none' })).toEqual([400, 'invalid_request']);
  service.clock.advance(6 * MINUTE);
  expect(await check()).toEqual([200, 'clock']);
  await owner.post(`/endpoints/${id}/rotate`, { overlap: '0' });
  expect(await check()).toEqual([200, 'older_secret']);
  expect(JSON.stringify(await owner.get('/endpoints'))).not.toContain(secret);
});

test('a check tries the secrets of the endpoint that it names, and of no other (D109)', async () => {
  const { agency, owner, receiver, id } = await registering();
  const { body: second } = await owner.post<Registered>('/endpoints', { url: (await Receiver.start()).url });
  await agency.linked();
  await service.quiet();
  await owner.post(`/endpoints/${id}/test`);
  const check = async (endpoint: string, received: (typeof receiver.received)[number] | undefined, page = owner) => {
    const sha256 = createHash('sha256')
      .update(received?.body ?? '')
      .digest('hex');
    const { body } = await page.post('/signature-check', { endpoint, headers: received?.headers, sha256 });
    return body.verdict ?? (body.error as { code: string }).code;
  };
  const [event, test] = [receiver.received.at(0), receiver.received.at(-1)];
  expect([await check(id, event), await check(id, test)]).toEqual(['valid', 'valid']);
  expect(await check(second.id, event)).toBe('unknown_secret');
  expect(await check(second.id, test)).toBe('invalid_request');
  const stranger = await DashboardPage.ofOwner(service, await service.agency());
  expect(await check(id, event, stranger)).toBe('not_found');
});
