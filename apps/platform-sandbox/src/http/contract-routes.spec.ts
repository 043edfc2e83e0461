import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoggedCall } from '../calls/call-log.js';
import type { ScanJob } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let sandbox: Sandbox;
let client: SandboxClient;
let user = '';

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't', demo: false });
  client = new SandboxClient(sandbox);
  await client.control('PUT', '/agencies/a1');
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', { count: 2 });
  user = user_ids[0] ?? '';
});
afterEach(() => sandbox.close());

const body = (reference: string) => ({
  reference,
  agency_id: 'a1',
  user_id: user,
  handles: [{ platform: 'x', username: 'ivy', variants: [] }],
});

describe('a key', () => {
  test('gives fifty concurrent requests one effect, also while the engine is slow', async () => {
    await client.control('POST', '/faults', { operation: 'dispatchScan', kind: 'delay', delay_ms: 20 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.post<ScanJob>('/scan-jobs', body('k'))));
    expect(new Set(answers.map((answer) => answer.body.job_id)).size).toBe(1);
    expect(await client.control('GET', '/effects')).toMatchObject({ scan_jobs: { k: 1 } });
    const { data } = await client.control<{ data: LoggedCall[] }>('GET', '/calls?operation=dispatchScan&reference=k');
    expect(data.filter((call) => call.effect === 'done')).toHaveLength(1);
    expect(data.filter((call) => call.effect === 'repeated')).toHaveLength(49);
    expect(Math.max(...data.map((call) => call.same_key_in_flight))).toBeGreaterThan(1);
  });

  test('with another body is a conflict, and the first result stays', async () => {
    const first = await client.post<ScanJob>('/scan-jobs', body('k'));
    const other = await client.post('/scan-jobs', { ...body('k'), handles: [] });
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
    expect(await client.post('/scan-jobs', body('k'))).toEqual(first);
  });

  test('on another path is a conflict', async () => {
    const path = (id: string) => `/agencies/a1/creators/${id}/impersonations`;
    const report = { reference: 'k', url: 'https://x.com/fake' };
    const { data } = (await client.call<{ data: { user_id: string }[] }>('GET', '/agencies/a1/creators')).body;
    const [one, two] = data.map((creator) => path(creator.user_id));
    expect((await client.post(one ?? '', report)).status).toBe(201);
    expect((await client.post(two ?? '', report)).status).toBe(409);
  });

  test('is a matter of one operation: another may use it too', async () => {
    expect((await client.post('/scan-jobs', body('k'))).status).toBe(202);
    const report = { reference: 'k', url: 'https://x.com/fake' };
    expect((await client.post(`/agencies/a1/creators/${user}/impersonations`, report)).status).toBe(201);
  });

  test('is required, has at most 120 characters and equals the reference', async () => {
    const statuses = [
      await client.call('POST', '/scan-jobs', body('k')),
      await client.call('POST', '/scan-jobs', body('k'), ''),
      await client.call('POST', '/scan-jobs', body('k'), 'other'),
      await client.post('/scan-jobs', body('k'.repeat(121))),
      await client.post('/scan-jobs', body('k'.repeat(120))),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400, 202]);
  });

  test('returns its result even when the creator has gone since', async () => {
    const first = await client.post('/scan-jobs', body('k'));
    await client.control('PATCH', `/creators/${user}`, { archived: true });
    expect(await client.post('/scan-jobs', body('k'))).toEqual(first);
  });
});

describe('a request', () => {
  test('is refused without the token, on controls and unknown routes too', async () => {
    for (const path of ['/agencies/a1', '/_sandbox/state', '/nothing']) {
      const response = await fetch(sandbox.url + path);
      expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }]);
    }
  });

  test('is refused with unknown members, without JSON, or as another media type', async () => {
    expect((await client.post('/scan-jobs', { ...body('k'), extra: 1 })).status).toBe(400);
    const send = (type: string, text: string) =>
      fetch(`${sandbox.url}/scan-jobs`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'idempotency-key': 'k', 'content-type': type },
        body: text,
      });
    expect((await send('application/json', '{')).status).toBe(400);
    expect((await send('text/plain', JSON.stringify(body('k')))).status).toBe(415);
  });

  test('for an unknown route is 404 in the envelope', async () => {
    expect(await client.call('PUT', '/scan-jobs')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });
});
