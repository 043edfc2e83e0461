import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Activity, Leak } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let time = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
let client: SandboxClient;
let user = '';

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't', now: () => time });
  client = new SandboxClient(sandbox);
  await client.control('PUT', '/agencies/a1');
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', {});
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
  test('are listed by leak_id, in any order of arrival', async () => {
    for (const id of ['c', 'a', 'd', 'b']) await addLeak(id);
    const first = await list<Leak>('leaks', '?limit=2');
    expect([first.data.map((leak) => leak.leak_id), first.next_cursor]).toEqual([['a', 'b'], 'b']);
    const rest = await list<Leak>('leaks', '?limit=2&after=b');
    expect([rest.data.map((leak) => leak.leak_id), rest.next_cursor]).toEqual([['c', 'd'], null]);
  });

  test('since a time are those updated at or after it', async () => {
    await addLeak('a');
    await addLeak('b');
    time += 10;
    await client.control('PATCH', '/leaks/b', { status_code: 'notice_sent' });
    const shown = await list<Leak>('leaks', `?updated_since=${time}`);
    expect(shown.data).toMatchObject([{ leak_id: 'b', status: 'Notice sent', updated_at: time }]);
    expect((await list<Leak>('leaks', `?updated_since=${time + 1}`)).data).toEqual([]);
  });

  test('have an updated_at that moves forward even if the clock does not', async () => {
    await addLeak('a');
    const first = await client.control<Leak>('PATCH', '/leaks/a', { actionable: null });
    const second = await client.control<Leak>('PATCH', '/leaks/a', { url: 'https://new.example/a' });
    expect([first.updated_at, second.updated_at]).toEqual([time + 1, time + 2]);
  });

  test('that were removed are no longer listed', async () => {
    await addLeak('a');
    await client.control('DELETE', '/leaks/a');
    expect((await list<Leak>('leaks')).data).toEqual([]);
  });

  test('can be added fifty thousand in one call', async () => {
    const { leak_ids } = await client.control<{ leak_ids: string[] }>('POST', `/creators/${user}/leaks`, {
      count: 50_000,
    });
    expect(leak_ids).toHaveLength(50_000);
    const after = leak_ids.sort()[49_800];
    const page = await list<Leak>('leaks', `?limit=200&after=${after}`);
    expect([page.data.length, page.next_cursor]).toEqual([199, null]);
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

  test.each([
    'https://instagram.com/',
    'http://instagram.com/a',
    'https://instagram.com.evil.example/a',
    'https://a.example/b',
  ])('are refused for %s', async (url) => {
    const { status, body } = await report('k', url);
    expect([status, body.error.code]).toEqual([422, 'unsupported_impersonation_url']);
  });
});

describe('deindex submissions', () => {
  const submit = (reference: string, leak_id: string, url: string) =>
    client.post('/deindex-submissions', { reference, agency_id: 'a1', user_id: user, leak_id, url });

  test('are accepted for a leak that is still shown, and change by a control', async () => {
    await addLeak('a', { url: 'https://h.example/a' });
    expect((await submit('d1', 'a', 'https://h.example/a')).status).toBe(202);
    await client.control('PATCH', '/deindex-submissions/d1', { status: 'removed' });
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
