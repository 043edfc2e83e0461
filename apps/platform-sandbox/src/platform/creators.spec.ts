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

async function roster(query = ''): Promise<string[]> {
  const { body } = await client.call<{ data: NativeCreator[] }>('GET', `/agencies/a1/creators${query}`);
  return body.data.map((creator) => creator.user_id);
}

async function occupied(): Promise<number> {
  return (await client.call<Capacity>('GET', '/agencies/a1/capacity')).body.occupied_slots;
}

describe('the roster', () => {
  test('lists onboarded creators by user_id, and no staff', async () => {
    const staff = await create({ is_staff: true });
    const waiting = await create({ onboarding_complete: false });
    const other = await create({});
    expect(await roster()).toEqual([user, other].sort());
    for (const id of [staff, waiting]) {
      expect((await client.call('GET', `/agencies/a1/creators/${id}`)).status).toBe(200);
    }
    expect((await client.call('GET', `/agencies/a1/creators/${staff}/leaks`)).status).toBe(404);
  });

  test('loses a creator that is transferred or archived, and shows it again when it is back', async () => {
    await client.control('PATCH', '/agencies/a2');
    for (const [away, back] of [
      [{ agency_id: 'a2' }, { agency_id: 'a1' }],
      [{ archived: true }, { archived: false }],
    ]) {
      await client.control('PATCH', `/creators/${user}`, away);
      expect([await roster(), (await client.call('GET', `/agencies/a1/creators/${user}`)).status]).toEqual([[], 404]);
      await client.control('PATCH', `/creators/${user}`, back);
      expect(await roster()).toEqual([user]);
    }
  });

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

describe('an identity', () => {
  const patch = (body: unknown) => client.call<NativeCreator>('PATCH', `/agencies/a1/creators/${user}`, body);

  test('merges aliases exactly and profiles without case, and moves updated_at only on a change', async () => {
    const profiles = [{ platform: 'x', username: 'Ivy', profile_id: null }];
    await client.control('PATCH', `/creators/${user}`, { aliases: ['Ivy'], profiles });
    const first = await patch({ aliases: ['ivy', 'Ivy'], profiles: [{ platform: 'x', username: 'IVY' }] });
    expect(first.body).toMatchObject({ aliases: ['Ivy', 'ivy'], profiles });
    const again = await patch({ aliases: ['ivy'], profiles: [{ platform: 'x', username: 'ivy' }] });
    expect(again.body).toEqual(first.body);
    expect(await client.control('GET', '/effects')).toMatchObject({ identity_writes: { [user]: 1 } });
  });

  test('refuses empty bodies, unknown members and platforms in upper case', async () => {
    const profile = { platform: 'x', username: 'y' };
    const bodies = [{}, { name: 'x' }, { display_name: '' }, { display_name: 'x'.repeat(161) }, { profiles: [{}] }];
    for (const body of [
      ...bodies,
      { profiles: [{ ...profile, platform: 'X' }] },
      { profiles: [{ ...profile, id: 1 }] },
    ]) {
      expect((await patch(body)).status).toBe(400);
    }
    expect((await patch({ display_name: '😀'.repeat(160) })).status).toBe(200);
  });
});
