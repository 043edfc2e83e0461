import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { AGENCY, type Stage } from './support/stage.js';
import { until } from './support/until.js';
import { WebhookStage } from './webhooks/webhook-stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

let hooks: WebhookStage;
let stage: Stage;
let receiver: WebhookStage['receiver'];
let endpoint: WebhookStage['endpoint'];

beforeAll(async () => {
  hooks = await WebhookStage.open();
  ({ stage, receiver, endpoint } = hooks);
});

afterAll(() => hooks.close());

test('deliveries are listed the newest first, by status; a delivered one can be replayed', async () => {
  await hooks.link();
  await hooks.link();
  await until('both are delivered', async () => (await hooks.deliveries('--status', 'delivered')).length === 2);
  const [newest, oldest] = await hooks.deliveries();
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
  expect(await hooks.deliveries('--status', 'failed')).toEqual([]);
  expect(await hooks.deliveries('--limit', '1')).toEqual([newest]);
  expect(await stage.runTool('webhooks', 'replay', oldest?.id ?? '')).toEqual({ id: oldest?.id, status: 'pending' });
  await until('it was sent again', async () => (await hooks.deliveries()).at(-1)?.attempts === 2);
  expect((await hooks.deliveries())[0]?.id).toBe(newest?.id);
});

test('recover delivers again what has failed since then, and nothing else', async () => {
  await receiver.kill();
  await hooks.link();
  await until('it has failed', async () => (await hooks.deliveries('--status', 'failed')).length === 1);
  await receiver.start();
  const before = new Date(Date.now() - 60_000).toISOString();
  const recover = ['webhooks', 'recover', endpoint.id, '--since'];
  expect(await stage.runTool(...recover, String(Date.now() + 60_000))).toEqual({ id: endpoint.id, replayed: 0 });
  const progress = () => stage.runTool<{ status: string }>('webhooks', 'replay-progress', endpoint.id);
  await until('nothing was replayed', async () => (await progress()).status === 'ended');
  expect(await stage.runTool(...recover, before)).toEqual({ id: endpoint.id, replayed: 1 });
  await until('it has arrived', async () => (await hooks.deliveries('--status', 'delivered')).length === 3);
  expect((await hooks.deliveries())[0]).toMatchObject({ status: 'delivered', attempts: 6 });
  expect(receiver.faults).toEqual([]);
});

test('deliveries are found by the filters of the dashboard', async () => {
  const all = await hooks.deliveries();
  const [newest] = all;
  expect(await hooks.deliveries('--endpoint', endpoint.id, '--answer', '204')).toEqual(all);
  expect(await hooks.deliveries('--type', 'creator.updated', '--limit', '1')).toEqual([newest]);
  expect(await hooks.deliveries('--event', newest?.event_id ?? '', '--status', 'delivered')).toEqual([newest]);
  expect(await hooks.deliveries('--undelivered')).toEqual([]);
  expect(await hooks.deliveries('--to', '2020-01-01')).toEqual([]);
  const refused = await hooks.refusal(['webhooks', 'deliveries', '--agency', AGENCY, '--creator', 'whe_1']);
  expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('creator') });
});

test('health, the attempts of a delivery, a signature and the calls of a key show what the dashboard shows', async () => {
  const [health] = await stage.runTool<object[]>('webhooks', 'health', '--agency', AGENCY);
  const ofEndpoint = { id: endpoint.id, status: 'active', success_rate: 4 / 9, pending: 0, disables_at: null };
  expect(health).toMatchObject({ ...ofEndpoint, latency_ms: expect.any(Number), last_failure_at: expect.any(Number) });
  const [newest] = await hooks.deliveries('--limit', '1');
  const attempts = await stage.runTool<object[]>('webhooks', 'attempts', newest?.id ?? '', '--agency', AGENCY);
  expect(attempts).toHaveLength(6);
  expect(attempts.at(0)).toMatchObject({ sent_at: expect.any(Number), status: null, error: 'connection_failed' });
  expect(attempts.at(-1)).toMatchObject({ ms: expect.any(Number), status: 204, error: null });
  const folder = await mkdtemp(join(tmpdir(), 'signature-'));
  const files = ['headers', 'body'].map((name) => join(folder, name));
  await writeFile(files[0] ?? '', receiver.latest.headers);
  await writeFile(files[1] ?? '', receiver.latest.body);
  const check = ['webhooks', 'check-signature', endpoint.id, '--headers', files[0] ?? '', '--body', files[1] ?? ''];
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
    await stage.runTool(...words, '--type', 'creator.updated', '--status', 'delivered', '--to', '2020-01-01'),
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
    const refused = await hooks.refusal([...words, `--${option}`, wrong]);
    expect(refused).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(option) });
  }
});
