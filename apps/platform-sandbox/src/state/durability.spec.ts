import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NativeCreator } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let folder = '';
let running: Sandbox[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  running = [];
});
afterEach(async () => {
  for (const sandbox of running) await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** The earlier sandbox is not closed: what the next one reads is what a kill -9 would have left. */
async function open(demo = false): Promise<SandboxClient> {
  const sandbox = await startSandbox({ token: 't', file: join(folder, 'deep', 'sandbox.db'), demo });
  running.push(sandbox);
  return new SandboxClient(sandbox);
}

describe('the state file', () => {
  test('has each effect, and the memory of its key, as soon as it is answered', async () => {
    const before = await open(true);
    const roster = await before.call<{ data: NativeCreator[] }>('GET', '/agencies/agency_demo/creators');
    const user_id = roster.body.data[0]?.user_id;
    const handles = [{ platform: 'x', username: 'ivy', variants: [] }];
    const scan = { reference: 'k', agency_id: 'agency_demo', user_id, handles };
    const dispatched = await before.post('/scan-jobs', scan);
    await before.slot('PUT', `/agencies/agency_demo/slots/${user_id}`, 7);
    await before.control('PATCH', '/settings', { scan_duration_ms: 7 });

    const after = await open();
    expect(await after.post('/scan-jobs', scan)).toEqual(dispatched);
    expect((await after.post('/scan-jobs', { ...scan, handles: [] })).status).toBe(409);
    expect((await after.call('GET', '/agencies/agency_demo/creators')).body).toEqual(roster.body);
    expect((await after.call('GET', '/agencies/agency_demo/capacity')).body).toMatchObject({ occupied_slots: 5 });
    expect((await after.call('GET', '/agencies/agency_demo/slots')).body).toMatchObject({
      data: [{ user_id, fence: 7 }],
    });
    expect((await after.slot('DELETE', `/agencies/agency_demo/slots/${user_id}`, 6)).status).toBe(409);
    expect(await after.control('GET', '/effects')).toMatchObject({ scan_jobs: { k: 1 } });
    expect(await after.control('PATCH', '/settings', {})).toMatchObject({ scan_duration_ms: 7 });
  });

  test('of an earlier build keeps its slots and fences, also where this build wrote the file before', async () => {
    const before = await open();
    await before.control('PATCH', '/agencies/a1');
    const { user_ids } = await before.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', { count: 2 });
    const [held = '', released = ''] = user_ids.sort();
    for (const user_id of user_ids) await before.slot('PUT', `/agencies/a1/slots/${user_id}`, 3);
    for (const sandbox of running.splice(0)) await sandbox.close();

    const database = new DatabaseSync(join(folder, 'deep', 'sandbox.db'));
    const write = (kind: string, id: string, body: object) =>
      database.prepare('INSERT INTO record VALUES (?, ?, ?)').run(kind, id, JSON.stringify(body));
    for (const user_id of user_ids) write('fence', `a1 ${user_id}`, { user_id, agency_id: 'a1', fence: 9 });
    write('slot', held, { user_id: held, agency_id: 'a1', api: true, dashboard: false });
    database.close();

    const after = await open();
    expect((await after.call('GET', '/agencies/a1/slots')).body).toMatchObject({ data: [{ user_id: held, fence: 9 }] });
    expect((await after.slot('PUT', `/agencies/a1/slots/${released}`, 8)).status).toBe(409);
    expect((await after.slot('PUT', `/agencies/a1/slots/${released}`, 9)).status).toBe(200);
  });

  test('is empty after a reset, and gets demo data only when empty', async () => {
    const first = await open(true);
    await first.control('POST', '/reset');
    await first.control('PATCH', '/agencies/other');
    const second = await open(true);
    expect((await second.call('GET', '/agencies/agency_demo')).status).toBe(404);
    await second.control('POST', '/reset', { demo: true });
    expect((await second.call('GET', '/agencies/agency_demo')).status).toBe(200);
    expect((await second.call('GET', '/agencies/other')).status).toBe(404);
  });
});

describe('the demo data', () => {
  test('has twenty creators with the same ids in every sandbox, some of them not eligible', async () => {
    const [one, two] = [await open(true), await startSandbox({ token: 't', demo: true })];
    running.push(two);
    const ids = await Promise.all(
      [one, new SandboxClient(two)].map(async (client) => {
        const { body } = await client.call<{ data: NativeCreator[] }>('GET', '/agencies/agency_demo/creators');
        expect(
          body.data.filter((creator) => creator.authorization.approved && creator.entitlement.active),
        ).toHaveLength(13);
        return body.data.map((creator) => creator.user_id);
      }),
    );
    expect(ids[0]).toHaveLength(20);
    expect(ids[0]).toEqual(ids[1]);
  });
});
