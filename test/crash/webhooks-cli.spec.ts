import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { AgencyClient } from './support/agency-client.js';
import { linked } from './support/creators.js';
import { AGENCY, Stage } from './support/stage.js';
import { until } from './support/until.js';
import { HookReceiver } from './webhooks/hook-receiver.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

interface Shown {
  readonly id: string;
  readonly event_id: string;
  readonly status: string;
  readonly attempts: number;
}

const receiver = new HookReceiver();
let stage: Stage;
let client: AgencyClient;
let workspaceId: string;
let endpoint: { id: string; url: string; secret: string; created_at: number };

beforeAll(async () => {
  await receiver.start();
  stage = await Stage.open({ WEBHOOK_TARGETS: 'any', WEBHOOK_BACKOFF: '50ms' });
  await stage.agency({ total_slots: 10 });
  const account = await stage.openAccount();
  workspaceId = account.workspaceId;
  const standalone = stage.start('standalone');
  client = stage.client(await standalone.ready(), account.secret);
  endpoint = await stage.runTool('webhooks', 'register', '--agency', AGENCY, '--url', receiver.url);
  receiver.secret = endpoint.secret;
});

afterAll(async () => {
  await stage.close();
  await receiver.kill();
});

const deliveries = (...words: string[]): Promise<Shown[]> =>
  stage.runTool('webhooks', 'deliveries', '--agency', AGENCY, ...words);

const link = async (): Promise<string> => {
  const [userId = ''] = await stage.members(1);
  return linked(client, workspaceId, userId);
};

const refusal = async (words: readonly string[], settings = {}): Promise<{ code: string; message: string }> => {
  const { status, stdout, stderr } = await stage.tool(words, settings);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return JSON.parse(stderr).error;
};

test('register shows the secret this once; list does not', async () => {
  expect(endpoint).toEqual({
    id: expect.stringMatching(/^whe_[0-9a-hjkmnp-tv-z]{26}$/),
    url: receiver.url,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    created_at: expect.any(Number),
  });
  const { id, url, created_at } = endpoint;
  expect(await stage.runTool('webhooks', 'list', '--agency', AGENCY)).toEqual([
    { id, url, types: null, status: 'active', disabled_reason: null, created_at },
  ]);
});

test('test sends a signed ping, and shows the result', async () => {
  expect(await stage.runTool('webhooks', 'test', endpoint.id)).toEqual({
    id: endpoint.id,
    status: 'delivered',
    last_status: 204,
    last_error: null,
  });
  expect(receiver.requests).toBe(1);
  expect(receiver.faults).toEqual([]);
});

test('deliveries are listed the newest first, by status; a delivered one can be replayed', async () => {
  await link();
  await link();
  await until('both are delivered', async () => (await deliveries('--status', 'delivered')).length === 2);
  const [newest, oldest] = await deliveries();
  expect(newest).toEqual({
    id: expect.stringMatching(/^whd_/),
    endpoint_id: endpoint.id,
    event_id: expect.stringMatching(/^evt_/),
    event_type: 'creator.updated',
    status: 'delivered',
    attempts: 1,
    last_status: 204,
    last_error: null,
    next_attempt_at: null,
  });
  expect(await deliveries('--status', 'failed')).toEqual([]);
  expect(await deliveries('--limit', '1')).toEqual([newest]);
  expect(await stage.runTool('webhooks', 'replay', oldest?.id ?? '')).toEqual({ id: oldest?.id, status: 'pending' });
  await until('it was sent again', async () => (await deliveries()).at(-1)?.attempts === 2);
  expect((await deliveries())[0]?.id).toBe(newest?.id);
});

test('recover delivers again what has failed since then, and nothing else', async () => {
  await receiver.kill();
  await link();
  await until('it has failed', async () => (await deliveries('--status', 'failed')).length === 1);
  await receiver.start();
  const before = new Date(Date.now() - 60_000).toISOString();
  const recover = ['webhooks', 'recover', endpoint.id, '--since'];
  expect(await stage.runTool(...recover, String(Date.now() + 60_000))).toEqual({ id: endpoint.id, replayed: 0 });
  expect(await stage.runTool(...recover, before)).toEqual({ id: endpoint.id, replayed: 1 });
  await until('it has arrived', async () => (await deliveries('--status', 'delivered')).length === 3);
  expect((await deliveries())[0]).toMatchObject({ status: 'delivered', attempts: 6 });
  expect(receiver.faults).toEqual([]);
});

test('deliveries are found by the filters of the dashboard', async () => {
  const all = await deliveries();
  const [newest] = all;
  expect(await deliveries('--endpoint', endpoint.id, '--answer', '204')).toEqual(all);
  expect(await deliveries('--type', 'creator.updated', '--limit', '1')).toEqual([newest]);
  expect(await deliveries('--event', newest?.event_id ?? '', '--status', 'delivered')).toEqual([newest]);
  expect(await deliveries('--undelivered')).toEqual([]);
  expect(await deliveries('--to', '0')).toEqual([]);
  const refused = await refusal(['webhooks', 'deliveries', '--agency', AGENCY, '--creator', 'whe_1']);
  expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('creator') });
});

test('health, the attempts of a delivery, a signature and the calls of a key show what the dashboard shows', async () => {
  const [health] = await stage.runTool<object[]>('webhooks', 'health', '--agency', AGENCY);
  const ofEndpoint = { id: endpoint.id, status: 'active', success_rate: 4 / 9, pending: 0, disables_at: null };
  expect(health).toMatchObject({ ...ofEndpoint, latency_ms: expect.any(Number), last_failure_at: expect.any(Number) });
  const [newest] = await deliveries('--limit', '1');
  const attempts = await stage.runTool<object[]>('webhooks', 'attempts', newest?.id ?? '', '--agency', AGENCY);
  expect(attempts).toHaveLength(6);
  expect(attempts.at(0)).toMatchObject({ sent_at: expect.any(Number), status: null, error: 'connection_failed' });
  expect(attempts.at(-1)).toMatchObject({ ms: expect.any(Number), status: 204, error: null });
  const folder = await mkdtemp(join(tmpdir(), 'signature-'));
  const files = ['headers', 'body'].map((name) => join(folder, name));
  await writeFile(files[0] ?? '', receiver.latest.headers);
  await writeFile(files[1] ?? '', receiver.latest.body);
  const check = [
    'webhooks',
    'check-signature',
    '--agency',
    AGENCY,
    '--headers',
    files[0] ?? '',
    '--body',
    files[1] ?? '',
  ];
  expect(await stage.runTool(...check)).toEqual({ verdict: 'valid', age_ms: expect.any(Number) });
  await rm(folder, { recursive: true });
  const [key] = await stage.runTool<{ id: string }[]>('keys', 'list', '--agency', AGENCY);
  const calls = await stage.runTool<object[]>('keys', 'calls', key?.id ?? '');
  expect(calls).toContainEqual({ route: 'POST /v1/creators', calls: 3 });
  expect(await stage.runTool('keys', 'refused', '--agency', AGENCY)).toEqual([]);
});

test('replay-all delivers again what matches; its progress is shown, and it can be ended', async () => {
  const before = receiver.requests;
  const words = ['webhooks', 'replay-all', endpoint.id];
  const asked = { id: endpoint.id, total_is_more: false, requested_at: expect.any(Number) };
  expect(
    await stage.runTool(...words, '--type', 'creator.updated', '--status', 'delivered', '--to', '0'),
  ).toMatchObject({ ...asked, total: 0 });
  const progress = () => stage.runTool<{ status: string }>('webhooks', 'replay-progress', endpoint.id);
  await until('nothing was replayed', async () => (await progress()).status === 'ended');
  expect(await stage.runTool(...words, '--answer', '204')).toMatchObject({ ...asked, total: 3 });
  await until('all were replayed', async () => (await progress()).status === 'ended');
  expect(await progress()).toMatchObject({ ...asked, reason: 'completed', total: 3, replayed: 3 });
  expect(await stage.runTool('webhooks', 'replay-end', endpoint.id)).toEqual(await progress());
  await until('all have arrived', async () => receiver.requests === before + 3);
  for (const [option, wrong] of [
    ['from', 'yesterday'],
    ['creator', 'whe_1'],
  ] as const) {
    const refused = await refusal([...words, `--${option}`, wrong]);
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(option) });
  }
});

test('rotate shows another secret, and disable ends it', async () => {
  const rotated = await stage.runTool<{ id: string; secret: string }>(
    'webhooks',
    'rotate',
    endpoint.id,
    '--overlap',
    '24h',
  );
  expect(rotated).toEqual({ id: endpoint.id, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
  expect(rotated.secret).not.toBe(endpoint.secret);
  receiver.secret = rotated.secret;
  expect(await stage.runTool('webhooks', 'test', endpoint.id)).toMatchObject({ status: 'delivered' });
  expect(receiver.faults).toEqual([]);
  expect(await stage.runTool('webhooks', 'disable', endpoint.id)).toEqual({ id: endpoint.id, status: 'disabled' });
  expect(await stage.runTool('webhooks', 'disable', endpoint.id)).toEqual({ id: endpoint.id, status: 'disabled' });
  expect(await refusal(['webhooks', 'rotate', endpoint.id])).toMatchObject({ code: 'invalid_request' });
  const isDisabled = { code: 'invalid_request', message: expect.stringContaining('endpoint') };
  const [delivery] = await deliveries();
  expect(await refusal(['webhooks', 'replay', delivery?.id ?? ''])).toMatchObject(isDisabled);
  expect(await refusal(['webhooks', 'recover', endpoint.id, '--since', '0'])).toMatchObject(isDisabled);
});

test('D82: list says why an endpoint is disabled, and missed what it did not get; enable brings it back with its id, URL and secret', async () => {
  const list = () => stage.runTool('webhooks', 'list', '--agency', AGENCY);
  const { id, url } = endpoint;
  expect(await list()).toMatchObject([{ id, status: 'disabled', disabled_reason: 'operator' }]);
  await link();
  const missed = { endpoint_id: id, from: expect.any(Number), to: null, count: 1 };
  expect(await stage.runTool('webhooks', 'missed', '--agency', AGENCY)).toEqual([missed]);
  for (let times = 0; times < 2; times++) {
    expect(await stage.runTool('webhooks', 'enable', id)).toEqual({ id, url, status: 'active' });
  }
  expect(await list()).toMatchObject([{ id, url, status: 'active', disabled_reason: null }]);
  const [delivery] = await deliveries();
  expect(await stage.runTool('webhooks', 'replay', delivery?.id ?? '')).toMatchObject({ status: 'pending' });
  await until('it was sent again', async () => (await deliveries())[0]?.status === 'delivered');
  expect(await stage.runTool('webhooks', 'test', id)).toMatchObject({ status: 'delivered' });
  expect(receiver.faults).toEqual([]);
});

test('what is not there or wrong is refused', async () => {
  const nobody = 'whe_00000000000000000000000000';
  for (const words of [
    ['rotate', nobody],
    ['disable', nobody],
    ['enable', nobody],
    ['test', nobody],
    ['replay', 'whd_x'],
    ['disable', 'x'],
  ]) {
    expect(await refusal(['webhooks', ...words])).toMatchObject({ code: 'not_found' });
  }
  for (const time of ['yesterday', '2028-02-30T00:00:00Z']) {
    const since = ['webhooks', 'recover', endpoint.id, '--since', time];
    expect(await refusal(since)).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('since') });
  }
  const register = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
  expect(await refusal(register, { WEBHOOK_TARGETS: 'public' })).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('url'),
  });
  const unwise = { NODE_ENV: 'production' };
  expect(await refusal(register, unwise)).toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('WEBHOOK_TARGETS'),
  });
  expect(await refusal(register, { WEBHOOK_BACKOFF: '1m,soon' })).toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('WEBHOOK_BACKOFF'),
  });
});

test('D104: an endpoint takes the event types that it names', async () => {
  const words = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url, '--types'];
  const { id } = await stage.runTool<{ id: string }>(...words, 'case.deleted,case.created');
  const listed: { id: string }[] = await stage.runTool('webhooks', 'list', '--agency', AGENCY);
  expect(listed.find((each) => each.id === id)).toMatchObject({ types: ['case.created', 'case.deleted'] });
  expect(await refusal(['webhooks', 'types', id, '--types', 'case.moved'])).toMatchObject({ code: 'invalid_request' });
  expect(await stage.runTool('webhooks', 'types', id, '--types', 'scan.failed')).toEqual({
    id,
    types: ['scan.failed'],
  });
  expect(await stage.runTool('webhooks', 'types', id)).toEqual({ id, types: null });
  await stage.runTool('webhooks', 'disable', id);
});
