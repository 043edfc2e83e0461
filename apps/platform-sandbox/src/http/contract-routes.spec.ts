import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Activity, Leak, ScanJob } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let time = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
let client: SandboxClient;
let user = '';

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't', scanDurationMs: 100, now: () => time });
  client = new SandboxClient(sandbox);
  await client.control('PATCH', '/agencies/a1');
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', { count: 2 });
  user = user_ids[0] ?? '';
});
afterEach(() => sandbox.close());

async function list<R>(kind: string, query = '') {
  return (
    await client.call<{ data: R[]; next_cursor: string | null }>('GET', `/agencies/a1/creators/${user}/${kind}${query}`)
  ).body;
}

const addLeak = (leak_id: string, more = {}) => client.control('POST', `/creators/${user}/leaks`, { leak_id, ...more });

describe('leaks', () => {
  test('have an updated_at that moves forward even if the clock does not', async () => {
    await addLeak('a');
    const first = await client.control<Leak>('PATCH', '/leaks/a', { actionable: null });
    const second = await client.control<Leak>('PATCH', '/leaks/a', { url: 'https://new.example/a' });
    expect([first.updated_at, second.updated_at]).toEqual([time + 1, time + 2]);
  });
});

describe('activity', () => {
  test('shows detections, sends and removals, newest first, by an opaque cursor', async () => {
    await addLeak('a');
    for (const status_code of ['reviewing', 'notice_sent', 'removed']) {
      time += 10;
      await client.control('PATCH', '/leaks/a', { status_code });
    }
    const first = await list<Activity>('activity', '?limit=3');
    expect(first.data.map(({ type, timestamp_basis }) => [type, timestamp_basis])).toEqual([
      ['leak.removed', 'recorded'],
      ['notice.sent', 'recorded'],
      ['leak.status', 'record_updated'],
    ]);
    const rest = await list<Activity>('activity', `?limit=3&cursor=${first.next_cursor}`);
    expect([rest.data.map(({ type }) => type), rest.next_cursor]).toEqual([['leak.detected'], null]);
  });

  test('refuses a cursor that it has not given out for this creator', async () => {
    const path = `/agencies/a1/creators/${user}/activity`;
    expect((await client.call('GET', `${path}?cursor=bm9ib2R5IDE`)).status).toBe(400);
  });
});

describe('impersonations', () => {
  const report = (reference: string, url: string) =>
    client.post<{ error: { code: string } }>(`/agencies/a1/creators/${user}/impersonations`, { reference, url });

  test('are opened for an account on a supported host', async () => {
    expect((await report('k1', 'https://www.instagram.com/fake_ivy/')).body).toMatchObject({
      platform: 'instagram',
      username: 'fake_ivy',
      status: 'open',
    });
    expect((await report('k2', 'https://www.tiktok.com/@fake.ivy')).body).toMatchObject({ username: 'fake.ivy' });
    expect((await list('impersonations')).data).toHaveLength(2);
  });
});

describe('deindex submissions', () => {
  const submit = (reference: string, leak_id: string, url: string) =>
    client.post('/deindex-submissions', { reference, agency_id: 'a1', user_id: user, leak_id, url });

  test('are accepted for a leak that is still shown, and change by a control', async () => {
    await addLeak('a', { url: 'https://h.example/a' });
    expect((await submit('d1', 'a', 'https://h.example/a')).status).toBe(202);
    await client.control('PATCH', '/submissions/d1', { status: 'removed' });
    const found = await client.call('GET', '/deindex-submissions?reference=d1');
    expect(found.body).toMatchObject({
      data: [{ status: 'removed', submitted_to_provider: true, removal_verified: true, error_code: null }],
    });
  });

  test('are refused for another URL, a removed leak and an unknown one', async () => {
    await addLeak('a', { url: 'https://h.example/a' });
    await addLeak('gone', { url: 'https://h.example/g', status_code: 'removed' });
    expect((await submit('d1', 'a', 'https://h.example/b')).status).toBe(422);
    expect((await submit('d2', 'gone', 'https://h.example/g')).status).toBe(422);
    expect((await submit('d3', 'none', 'https://h.example/g')).status).toBe(404);
  });

  test('advance automatically when a step time is set', async () => {
    await client.control('PATCH', '/settings', { deindex_step_ms: 100 });
    await addLeak('a', { url: 'https://h.example/a' });
    await submit('d1', 'a', 'https://h.example/a');
    for (const status of ['submitted', 'removed']) {
      time += 100;
      const found = await client.call('GET', '/deindex-submissions?reference=d1');
      expect(found.body).toMatchObject({ data: [{ status }] });
    }
  });
});

const HANDLES = [
  { platform: 'x', username: 'ivy', variants: ['ivy c'] },
  { platform: 'mym', username: 'ivy cal', variants: [] },
];

function dispatch(reference: string, handles: unknown = HANDLES) {
  return client.post<ScanJob>('/scan-jobs', { reference, agency_id: 'a1', user_id: user, handles } as {
    reference: string;
  });
}

describe('a scan job', () => {
  test('is refused for a creator that is not visible to the agency', async () => {
    await client.control('PATCH', `/creators/${user}`, { archived: true });
    expect((await dispatch('scn_1')).status).toBe(404);
  });

  test('that vanished is not found, although its key is remembered', async () => {
    const { job_id } = (await dispatch('scn_1')).body;
    await client.control('DELETE', '/jobs/scn_1');
    expect((await client.call('GET', `/scan-jobs/${job_id}`)).status).toBe(404);
    expect((await client.call('GET', '/scan-jobs?reference=scn_1')).body).toEqual({ data: [] });
    expect((await dispatch('scn_1')).body.job_id).toBe(job_id);
    expect(await client.control('GET', '/effects')).toMatchObject({ scan_jobs: { scn_1: 1 } });
  });
});

const body = (reference: string) => ({
  reference,
  agency_id: 'a1',
  user_id: user,
  handles: [{ platform: 'x', username: 'ivy', variants: [] }],
});

describe('a key', () => {
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
});
