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
  await client.control('PUT', '/agencies/a1', { total_slots: 2, dashboard_slots: 1 });
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

  test('pages over ten thousand creators without gaps', async () => {
    await client.control('POST', '/agencies/a1/creators', { count: 9_999 });
    const seen: string[] = [];
    let query = '?limit=200';
    for (;;) {
      const { body } = await client.call<{ data: NativeCreator[]; next_cursor: string | null }>(
        'GET',
        `/agencies/a1/creators${query}`,
      );
      seen.push(...body.data.map((creator) => creator.user_id));
      if (body.next_cursor === null) break;
      query = `?limit=200&after=${body.next_cursor}`;
    }
    expect(seen).toHaveLength(10_000);
    expect(seen).toEqual([...new Set(seen)].sort());
  });

  test('loses a creator that is transferred or archived, and shows it again when it is back', async () => {
    await client.control('PUT', '/agencies/a2');
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

  test('is changed by controls that refuse members which they do not know, also inside', async () => {
    const profile = { platform: 'x', username: 'ivy', followers: 3 };
    for (const body of [{ nickname: 'Ivy' }, { profiles: [profile] }, { updated_at: 1 }, { user_id: user }]) {
      expect((await client.call('PATCH', `/_sandbox/creators/${user}`, body)).status).toBe(400);
    }
    expect((await client.call('PATCH', '/_sandbox/creators/nobody', {})).status).toBe(404);
  });

  test('refuses unknown and repeated query parameters', async () => {
    for (const query of ['?page=1', '?limit=1&limit=2', '?limit=', '?limit=1e1', '?after=x']) {
      expect((await client.call('GET', `/agencies/a1/creators${query}`)).status).toBe(400);
    }
  });
});

describe('a slot', () => {
  test('is occupied once and released once', async () => {
    const path = `/agencies/a1/slots/${user}`;
    expect([(await client.slot('PUT', path, 7)).status, (await client.slot('PUT', path, 7)).status]).toEqual([
      200, 200,
    ]);
    expect(await occupied()).toBe(2);
    expect([(await client.slot('DELETE', path, 7)).status, (await client.slot('DELETE', path, 7)).status]).toEqual([
      204, 204,
    ]);
    expect(await occupied()).toBe(1);
    expect(await client.control('GET', '/effects')).toMatchObject({ slots: { [user]: 2 } });
  });

  test('is refused beyond the total, but not to a creator that has one', async () => {
    const second = await create({});
    await client.slot('PUT', `/agencies/a1/slots/${user}`, 7);
    expect((await client.slot('PUT', `/agencies/a1/slots/${second}`, 7)).status).toBe(409);
    await client.control('PUT', '/agencies/a1', { total_slots: 1 });
    expect((await client.slot('PUT', `/agencies/a1/slots/${user}`, 7)).status).toBe(200);
  });

  test('that the dashboard holds is shared, and stays when this hold goes', async () => {
    await client.control('PATCH', `/creators/${user}`, { dashboard_slot: true });
    expect(await occupied()).toBe(2);
    expect((await client.slot('PUT', `/agencies/a1/slots/${user}`, 7)).status).toBe(200);
    expect(await occupied()).toBe(2);
    expect((await client.slot('DELETE', `/agencies/a1/slots/${user}`, 7)).status).toBe(204);
    expect(await occupied()).toBe(2);
  });

  test('of the last two is given to one of two concurrent creators', async () => {
    const second = await create({});
    const answers = await Promise.all([user, second].map((id) => client.slot('PUT', `/agencies/a1/slots/${id}`, 7)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('call with a lower fence than the highest one changes nothing, also after the slot was released', async () => {
    const path = `/agencies/a1/slots/${user}`;
    const stale = { status: 409, body: { error: { code: 'stale_fence', message: expect.anything(), fence: 9 } } };
    await client.slot('PUT', path, 9);
    expect(await client.slot('DELETE', path, 8)).toEqual(stale);
    expect((await client.call('GET', '/agencies/a1/slots')).body).toMatchObject({
      data: [{ user_id: user, fence: 9 }],
    });
    expect((await client.slot('DELETE', path, 9)).status).toBe(204);
    expect(await client.slot('PUT', path, 8)).toEqual(stale);
    expect((await client.call('GET', '/agencies/a1/slots')).body).toEqual({ data: [], next_cursor: null });
  });

  test.each(['0', '-1', '1.5', 'x', String(2 ** 53)])('call with the fence %s is refused', async (fence) => {
    expect((await client.slot('PUT', `/agencies/a1/slots/${user}`, fence)).status).toBe(400);
  });

  test('that the dashboard alone holds is not listed', async () => {
    await client.control('PATCH', `/creators/${user}`, { dashboard_slot: true });
    expect((await client.call('GET', '/agencies/a1/slots')).body).toEqual({ data: [], next_cursor: null });
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

  test('merges profiles of manyvids by their id, and one without an id with none that has one', async () => {
    const one = { platform: 'manyvids', username: 'Ivy', profile_id: '7' };
    await client.control('PATCH', `/creators/${user}`, { profiles: [one] });
    const renamed = await patch({ profiles: [{ ...one, username: 'ivy-renamed' }] });
    expect(renamed.body.profiles).toEqual([one]);
    const bare = await patch({ profiles: [{ platform: 'manyvids', username: 'ivy' }] });
    expect(bare.body.profiles).toEqual([one, { platform: 'manyvids', username: 'ivy', profile_id: null }]);
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
