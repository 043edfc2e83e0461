import { afterAll, expect, test } from '@jest/globals';
import { silentLogger } from '#kernel';
import { startApi } from '../../../apps/api/src/api.js';
import { createServices, openStores } from '../../../apps/composition/src/index.js';
import { startOpsListener } from '../../../apps/composition/src/ops-listener.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency();
const ops = await startOpsListener(service.services, '127.0.0.1', 0);
afterAll(() => ops.close());

test('the process tells that it lives, and when its stores and projections serve, to anybody', async () => {
  const live = await fetch(`${service.url}/health/live`);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
  expect(live.headers.get('x-svc-mode')).toBe('live');
  const ready = await fetch(`${service.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'ok',
    details: { event_log: { status: 'up' }, documents: { status: 'up' }, projections: { status: 'up' } },
  });
});

test('readiness tells of projections that are behind, and of a store that is gone', async () => {
  // A service of which only the API runs, on a log that nobody projects.
  const config = await service.onOtherStores();
  const services = await createServices(config, await openStores(config), service.clock);
  const api = await startApi(services, { host: '127.0.0.1', port: 0 }, silentLogger);
  const ready = async () => {
    const answer = await fetch(`${api.url}/health/ready`);
    const { details } = (await answer.json()) as { details: Record<string, { status: string }> };
    return [answer.status, ...['event_log', 'documents', 'projections'].map((name) => details[name]?.status)];
  };
  expect(await ready()).toEqual([200, 'up', 'up', 'up']);
  const metadata = { at: 1, correlationId: '', causationId: null, actor: 'test', workspaceId: null };
  await services.log.append('test-1', 'none', [{ id: crypto.randomUUID(), type: 'test.v1', data: {}, metadata }]);
  expect(await ready()).toEqual([503, 'up', 'up', 'down']);
  await services.log.close();
  expect(await ready()).toEqual([503, 'down', 'up', 'down']);
  await api.close();
  await services.documents.close();
  await services.native.close();
});

test('metrics are told on a listener of their own, of requests, appends, runners, due work and outside calls', async () => {
  await agency.linked();
  await agency.api.get('/v1/scans/none');
  await service.quiet();
  const answer = await fetch(`${ops.url}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await answer.text();
  for (const line of [
    /^http_request_duration_seconds_count\{route="\/v1\/creators",method="POST",status="201"\} 1$/m,
    /^http_request_duration_seconds_count\{route="\/v1\/scans\/:id",method="GET",status="404"\} 1$/m,
    /^events_appended_total\{category="roster",outcome="appended"\} \d+$/m,
    /^provider_call_duration_seconds_count\{operation="updateIdentity",outcome="done"\} 1$/m,
    /^runner_lag\{runner="read-models"\} 0$/m,
    /^due_work\{kind="scan"\} 0$/m,
    /^process_cpu_seconds_total /m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(text).not.toMatch(/crt_|svc_live|agency_|Ivy/);
  expect((await fetch(`${ops.url}/`)).status).toBe(404);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});
