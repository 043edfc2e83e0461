import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LoggedCall } from '../calls/call-log.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let sandbox: Sandbox;
let client: SandboxClient;
let users: string[] = [];

beforeEach(async () => {
  sandbox = await startSandbox({ token: 't' });
  client = new SandboxClient(sandbox);
  await client.control('PATCH', '/agencies/a1');
  ({ user_ids: users } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', { count: 2 }));
});
afterEach(() => sandbox.close());

const fault = (request: object) => client.control('POST', '/faults', request);
const dispatch = (reference: string, user_id = users[0]) =>
  client.post('/scan-jobs', {
    reference,
    agency_id: 'a1',
    user_id,
    handles: [{ platform: 'x', username: 'ivy', variants: [] }],
  });
const jobs = async () => (await client.control<{ scan_jobs: object }>('GET', '/effects')).scan_jobs;

describe('a fault', () => {
  test('refuse replaces the effect, but not a remembered result', async () => {
    await dispatch('known');
    await fault({ operation: 'dispatchScan', kind: 'refuse', status: 422, code: 'nothing_to_scan' });
    expect(await dispatch('k')).toMatchObject({ status: 422, body: { error: { code: 'nothing_to_scan' } } });
    expect((await dispatch('known')).status).toBe(202);
  });

  test('delay lets the effect happen for a caller that gave up', async () => {
    await fault({ operation: 'dispatchScan', kind: 'delay', delay_ms: 60_000, effect: 'after' });
    void dispatch('k').catch(() => undefined);
    while (!('k' in (await jobs()))) await new Promise((resolve) => setImmediate(resolve));
    const { data } = await client.control<{ data: LoggedCall[] }>('GET', '/calls?reference=k');
    expect(data).toMatchObject([{ status: null, effect: 'done', finished_at: null }]);
  });

  test('meets only the user and the reference that it names', async () => {
    await fault({ operation: '*', kind: 'status', match: { user_id: users[1] } });
    await fault({ operation: '*', kind: 'status', match: { reference: 'k2' } });
    expect((await dispatch('k1')).status).toBe(202);
    expect((await dispatch('k1b', users[1])).status).toBe(503);
    expect((await dispatch('k2')).status).toBe(503);
    expect((await client.call('GET', '/scan-jobs?reference=k2')).status).toBe(503);
    expect((await client.call('GET', `/agencies/a1/creators/${users[1]}`)).status).toBe(503);
    expect((await client.call('GET', `/agencies/a1/creators/${users[0]}`)).status).toBe(200);
  });

  test('on a scan meets the polling of its job', async () => {
    const { job_id } = (await dispatch('k')).body as { job_id: string };
    await fault({ operation: 'getScanJob', kind: 'status', match: { reference: 'k' } });
    expect((await client.call('GET', `/scan-jobs/${job_id}`)).status).toBe(503);
  });

  test('for an unknown operation or of an unknown kind is refused', async () => {
    await expect(fault({ operation: 'nothing', kind: 'hang' })).rejects.toThrow();
    await expect(fault({ operation: '*', kind: 'nothing' })).rejects.toThrow();
  });
});
