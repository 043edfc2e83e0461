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

test('rotate shows another secret, and disable ends it', async () => {
  await hooks.link();
  await until('it is delivered', async () => (await hooks.deliveries('--status', 'delivered')).length === 1);
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
  expect(await hooks.refusal(['webhooks', 'rotate', endpoint.id])).toMatchObject({ code: 'invalid_request' });
  const isDisabled = { code: 'invalid_request', message: expect.stringContaining('endpoint') };
  const [delivery] = await hooks.deliveries();
  expect(await hooks.refusal(['webhooks', 'replay', delivery?.id ?? ''])).toMatchObject(isDisabled);
  expect(await hooks.refusal(['webhooks', 'recover', endpoint.id, '--since', '2020-01-01'])).toMatchObject(isDisabled);
});

test('D82: list says why an endpoint is disabled, and missed what it did not get; enable brings it back with its id, URL and secret', async () => {
  const list = () => stage.runTool('webhooks', 'list', '--agency', AGENCY);
  const { id, url } = endpoint;
  expect(await list()).toMatchObject([{ id, status: 'disabled', disabled_reason: 'operator' }]);
  await hooks.link();
  const missed = { endpoint_id: id, from: expect.any(Number), to: null, count: 1 };
  expect(await stage.runTool('webhooks', 'missed', '--agency', AGENCY)).toEqual([missed]);
  for (let times = 0; times < 2; times++) {
    expect(await stage.runTool('webhooks', 'enable', id)).toEqual({ id, url, status: 'active' });
  }
  expect(await list()).toMatchObject([{ id, url, status: 'active', disabled_reason: null }]);
  const [delivery] = await hooks.deliveries();
  expect(await stage.runTool('webhooks', 'replay', delivery?.id ?? '')).toMatchObject({ status: 'pending' });
  await until('it was sent again', async () => (await hooks.deliveries())[0]?.status === 'delivered');
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
    expect(await hooks.refusal(['webhooks', ...words])).toMatchObject({ code: 'not_found' });
  }
  for (const time of ['yesterday', '2028-02-30T00:00:00Z']) {
    const since = ['webhooks', 'recover', endpoint.id, '--since', time];
    expect(await hooks.refusal(since)).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('since'),
    });
  }
  const register = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
  expect(await hooks.refusal(register, { WEBHOOK_TARGETS: 'public' })).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('url'),
  });
  const unwise = { NODE_ENV: 'production' };
  expect(await hooks.refusal(register, unwise)).toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('WEBHOOK_TARGETS'),
  });
  expect(await hooks.refusal(register, { WEBHOOK_BACKOFF: '1m,soon' })).toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining('WEBHOOK_BACKOFF'),
  });
});

test('D104: an endpoint takes the event types that it names', async () => {
  const words = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url, '--types'];
  const { id } = await stage.runTool<{ id: string }>(...words, 'case.deleted,case.created');
  const listed: { id: string }[] = await stage.runTool('webhooks', 'list', '--agency', AGENCY);
  expect(listed.find((each) => each.id === id)).toMatchObject({ types: ['case.created', 'case.deleted'] });
  expect(await hooks.refusal(['webhooks', 'types', id, '--types', 'case.moved'])).toMatchObject({
    code: 'invalid_request',
  });
  expect(await stage.runTool('webhooks', 'types', id, '--types', 'scan.failed')).toEqual({
    id,
    types: ['scan.failed'],
  });
  expect(await stage.runTool('webhooks', 'types', id)).toEqual({ id, types: null });
  await stage.runTool('webhooks', 'disable', id);
});
