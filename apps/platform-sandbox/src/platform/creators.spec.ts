import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Capacity, NativeCreator } from '../contract/types.js';
import { type Sandbox, SandboxClient, startSandbox } from '../index.js';

let sandbox: Sandbox;
let client: SandboxClient;
let user = '';

beforeAll(async () => {
  sandbox = await startSandbox({ token: 't' });
  client = new SandboxClient(sandbox);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await client.control('POST', '/reset');
  await client.control('PATCH', '/agencies/a1', { total_slots: 2, dashboard_slots: 1 });
  user = await create({});
});

async function create(request: object): Promise<string> {
  const { user_ids } = await client.control<{ user_ids: string[] }>('POST', '/agencies/a1/creators', request);
  return user_ids[0] ?? '';
}

async function occupied(): Promise<number> {
  return (await client.call<Capacity>('GET', '/agencies/a1/capacity')).body.occupied_slots;
}

describe('the roster', () => {
  test('shows only the members that the contract names', async () => {
    const profiles = [{ platform: 'x', username: 'ivy', profile_id: null }];
    const kept = await client.control<object>('PATCH', `/creators/${user}`, { profiles });
    expect(kept).toMatchObject({ agency_id: 'a1', archived: false, profiles });
    const { agency_id: _agency, archived: _archived, ...shown } = kept as NativeCreator & Record<string, unknown>;
    expect((await client.call('GET', '/agencies/a1/creators')).body).toEqual({ data: [shown], next_cursor: null });
  });

  test('is changed by controls that refuse members which they do not know', async () => {
    for (const body of [{ nickname: 'Ivy' }, { user_id: user }]) {
      expect((await client.call('PATCH', `/_sandbox/creators/${user}`, body)).status).toBe(400);
    }
    expect((await client.call('PATCH', '/_sandbox/creators/nobody', {})).status).toBe(404);
    expect((await client.call('PATCH', '/_sandbox/constructor/nobody', {})).status).toBe(404);
  });

  test('refuses unknown and repeated query parameters', async () => {
    for (const query of ['?page=1', '?limit=1&limit=2', '?limit=', '?limit=1e1', '?after=x']) {
      expect((await client.call('GET', `/agencies/a1/creators${query}`)).status).toBe(400);
    }
  });
});

describe('a slot', () => {
  test('is refused beyond the total, but not to a creator that has one', async () => {
    const second = await create({});
    await client.slot('PUT', `/agencies/a1/slots/${user}`, 7);
    expect((await client.slot('PUT', `/agencies/a1/slots/${second}`, 7)).status).toBe(409);
    await client.control('PATCH', '/agencies/a1', { total_slots: 1 });
    expect((await client.slot('PUT', `/agencies/a1/slots/${user}`, 7)).status).toBe(200);
  });

  test('that the dashboard holds is shared, and stays when this hold goes', async () => {
    await client.control('PATCH', `/creators/${user}`, { dashboard_slot: true });
    expect(await occupied()).toBe(2);
    expect((await client.call('GET', '/agencies/a1/slots')).body).toEqual({ data: [], next_cursor: null });
    expect((await client.slot('PUT', `/agencies/a1/slots/${user}`, 7)).status).toBe(200);
    expect(await occupied()).toBe(2);
    expect((await client.slot('DELETE', `/agencies/a1/slots/${user}`, 7)).status).toBe(204);
    expect(await occupied()).toBe(2);
  });
});
