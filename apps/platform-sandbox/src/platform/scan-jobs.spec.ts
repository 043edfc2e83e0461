import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Leak, ScanJob } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let time = Date.UTC(2026, 0, 1);
let sandbox: Sandbox;
let client: SandboxClient;
let user = '';

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't', scanDurationMs: 100, now: () => time });
  client = new SandboxClient(sandbox);
  await client.control('PUT', '/agencies/a1');
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', {});
  user = user_ids[0] ?? '';
});
afterEach(() => sandbox.close());

const HANDLES = [
  { platform: 'x', username: 'ivy', variants: ['ivy c'] },
  { platform: 'mym', username: 'ivy cal', variants: [] },
];

function dispatch(reference: string, handles: unknown = HANDLES) {
  return client.post<ScanJob>('/scan-jobs', { reference, agency_id: 'a1', user_id: user, handles } as {
    reference: string;
  });
}

const jobAt = async (id: string) => (await client.call<ScanJob>('GET', `/scan-jobs/${id}`)).body;

async function leaks(): Promise<Leak[]> {
  return (await client.call<{ data: Leak[] }>('GET', `/agencies/a1/creators/${user}/leaks`)).body.data;
}

describe('a scan job', () => {
  test('goes from queued over running to completed, and its leaks are listed by then', async () => {
    const { status, body } = await dispatch('scn_1');
    expect([status, body.status, body.reference]).toEqual([202, 'queued', 'scn_1']);
    time += 30;
    expect((await jobAt(body.job_id)).status).toBe('running');
    expect(await leaks()).toEqual([]);
    time += 70;
    const found = await leaks();
    expect(found.map((leak) => leak.job_id)).toEqual(Array(4).fill(body.job_id));
    expect(await jobAt(body.job_id)).toMatchObject({ status: 'completed', finished_at: time, error_code: null });
    expect(found.some((leak) => leak.url.includes('/mym/ivy%20cal/'))).toBe(true);
  });

  test('has nothing to scan without handles, and the key stays free', async () => {
    expect(await dispatch('scn_1', [])).toMatchObject({ status: 422, body: { error: { code: 'nothing_to_scan' } } });
    expect((await dispatch('scn_1')).status).toBe(202);
  });

  test('is refused for a creator that is not visible to the agency', async () => {
    await client.control('PATCH', `/creators/${user}`, { archived: true });
    expect((await dispatch('scn_1')).status).toBe(404);
  });

  test('waits for controls when jobs are left manual', async () => {
    await client.control('PATCH', '/settings', { scan_auto: false });
    const { job_id } = (await dispatch('scn_1')).body;
    time += 1_000_000;
    expect((await jobAt(job_id)).status).toBe('queued');
    await client.control('PATCH', '/scan-jobs/scn_1', { status: 'failed', error_code: 'engine_overheated' });
    expect(await jobAt(job_id)).toMatchObject({ status: 'failed', error_code: 'engine_overheated', finished_at: time });
    await client.control('PATCH', `/scan-jobs/${job_id}`, { status: 'completed', leaks_per_handle: 1 });
    expect(await leaks()).toHaveLength(2);
  });

  test('that vanished is not found, although its key is remembered unless the engine forgot it', async () => {
    const { job_id } = (await dispatch('scn_1')).body;
    await client.control('DELETE', '/scan-jobs/scn_1');
    expect((await client.call('GET', `/scan-jobs/${job_id}`)).status).toBe(404);
    expect((await client.call('GET', '/scan-jobs?reference=scn_1')).body).toEqual({ data: [] });
    expect((await dispatch('scn_1')).body.job_id).toBe(job_id);
    await dispatch('scn_2');
    await client.control('DELETE', '/scan-jobs/scn_2?forget=true');
    await dispatch('scn_2');
    expect(await client.control('GET', '/effects')).toMatchObject({ scan_jobs: { scn_1: 1, scn_2: 2 } });
  });
});
