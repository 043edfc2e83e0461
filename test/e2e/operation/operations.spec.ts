import { afterAll, expect, test } from '@jest/globals';
import { ALL_PROJECTIONS } from '#contexts';
import { SECOND, StoreUnavailable } from '#kernel';
import { eventually } from '#testing';
import { openService } from '../../support/open-service.js';
import { startService } from '../support/start-service.js';

interface Readiness {
  readonly status: string;
  readonly details: Readonly<Record<string, { readonly status: string }>>;
  readonly runners?: Readonly<Record<string, { readonly lag?: number }>>;
}

const service = await startService();
const agency = await service.agency();
const ops = await service.startOpsListener();
afterAll(() => ops.close());

test('the process shows without a key that it lives and that it can serve', async () => {
  const live = await fetch(`${service.url}/health/live`);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
  expect(live.headers.get('x-svc-mode')).toBe('live');
  const ready = await fetch(`${service.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: 'ok',
    details: { event_log: { status: 'up' }, documents: { status: 'up' } },
    set_aside: 0,
    runners: { 'read-models': { lag: expect.any(Number), set_aside: 0 }, publisher: { set_aside: 0 } },
  });
});

test('a lagging runner does not make the API unready, an unreachable store does (D68)', async () => {
  // A service of which only the API runs, on a log that nobody projects.
  const opened = await openService(await service.onOtherStores(), { clock: service.clock });
  const { services } = opened;
  const api = await opened.startApi();
  const ready = async () => {
    const answer = await fetch(`${api.url}/health/ready`);
    const { status, details, runners } = (await answer.json()) as Readiness;
    const stores = ['event_log', 'documents'].map((name) => details[name]?.status);
    return [answer.status, status, ...stores, (runners?.publisher?.lag ?? 0) > 0];
  };
  expect(await ready()).toEqual([200, 'ok', 'up', 'up', false]);
  const metadata = { at: 1, correlationId: '', causationId: null, actor: 'test', workspaceId: null };
  await services.log.append('test-1', 'none', [{ id: crypto.randomUUID(), type: 'test.v1', data: {}, metadata }]);
  await eventually(async () => expect(await ready()).toEqual([200, 'ok', 'up', 'up', true]));
  // After five seconds without progress nobody waits for it any more.
  await eventually(async () => expect(await ready()).toEqual([200, 'degraded', 'up', 'up', true]));
  await services.log.close();
  await eventually(async () => expect(await ready()).toEqual([503, 'error', 'down', 'up', false]));
  await api.stop();
  await services.documents.close();
  await services.native.close();
});

test('readiness is computed at most once a second, for all that ask (D70)', async () => {
  const { documents } = service.services;
  const checkpoint = documents.checkpoint.bind(documents);
  let computed = 0;
  documents.checkpoint = (name) => {
    if (name === 'health') computed++;
    return checkpoint(name);
  };
  const began = performance.now();
  for (let asked = 0; asked < 20; asked++) await fetch(`${service.url}/health/ready`);
  const seconds = (performance.now() - began) / SECOND;
  documents.checkpoint = checkpoint;
  expect(computed).toBeLessThanOrEqual(1 + seconds);
});

test('the API is ready even if the state of the runners cannot be read (D68)', async () => {
  const { deadLetterList } = service.services;
  const countByRunner = deadLetterList.countByRunner.bind(deadLetterList);
  deadLetterList.countByRunner = () => Promise.reject(new StoreUnavailable('down'));
  await eventually(async () => {
    const answer = await fetch(`${service.url}/health/ready`);
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'degraded' }]);
  });
  deadLetterList.countByRunner = countByRunner;
});

test('a separate listener serves metrics of requests, appends, runners, tasks and outside calls', async () => {
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
    /^runner_set_aside\{runner="publisher"\} 0$/m,
    /^runner_set_aside_total\{runner="webhooks"\} 0$/m,
    /^due_work\{kind="scan"\} 0$/m,
    /^process_cpu_seconds_total /m,
  ]) {
    expect(text).toMatch(line);
  }
  expect(text).not.toMatch(/crt_|svc_live|agency_|Ivy/);
  expect((await fetch(`${ops.url}/`)).status).toBe(404);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test('D92: operators are answered while read models are discarded, without the numbers that these hold', async () => {
  // Nothing of it runs, so that what is dropped stays dropped.
  const { services, ...opened } = await openService(await service.onOtherStores(), { clock: service.clock });
  const [api, listener] = [await opened.startApi(), await opened.startOpsListener()];
  const { documents, live } = services;
  for (const projection of ALL_PROJECTIONS) await documents.drop(await live.of(projection));
  const metrics = await fetch(`${listener.url}/metrics`);
  const text = await metrics.text();
  expect([metrics.status, text]).toEqual([200, expect.stringContaining('runner_lag{')]);
  expect(text).not.toContain('due_work{');
  const ready = await fetch(`${api.url}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok', runners: expect.anything() }]);
  await listener.close();
  await api.stop();
  await opened.close();
});
