import { describe, expect, it } from '@jest/globals';
import type { CreatorProtection } from './client.js';
import type { IdempotentCallOptions } from './options.js';
import { answered, brokenOff, itemsOf, pageOf, refused, ScriptedService } from './scripted-service.fixtures.js';

const enrollment = { workspace_id: 'wsp_1', external_id: 'ivy', display_name: 'Ivy', svc_user_id: 'u' };
const signal = new AbortController().signal;

type Row = readonly [request: string, body: object | null, call: (client: CreatorProtection) => PromiseLike<unknown>];

const CALLS: readonly Row[] = [
  ['GET /v1/me', null, (client) => client.connection.get()],
  ['GET /v1/workspaces/wsp_1', null, (client) => client.workspaces.get('wsp_1')],
  ['POST /v1/creators', enrollment, (client) => client.creators.enroll(enrollment)],
  ['GET /v1/creators/crt_1', null, (client) => client.creators.get('crt_1', { signal })],
  ['PATCH /v1/creators/crt_1', { aliases: ['a'] }, (client) => client.creators.update('crt_1', { aliases: ['a'] })],
  ['DELETE /v1/creators/crt_1', null, (client) => client.creators.remove('crt_1')],
  [
    'PUT /v1/creators/crt_1/protection',
    { status: 'paused' },
    (client) => client.creators.setProtection('crt_1', { status: 'paused' }),
  ],
  ['GET /v1/scans/scn_1', null, (client) => client.scans.get('scn_1')],
  ['GET /v1/deindex-requests/dix_1', null, (client) => client.deindexing.get('dix_1')],
  ['GET /v1/usage', null, (client) => client.usage.get()],
  ['GET /v1/usage?month=2026-11', null, (client) => client.usage.get({ month: '2026-11', signal })],
  ['GET /v1/capacity', null, (client) => client.usage.capacity()],
];

type CallOnce = (client: CreatorProtection, options?: IdempotentCallOptions) => PromiseLike<unknown>;

const ONCE: readonly (readonly [request: string, body: object, call: CallOnce])[] = [
  ['POST /v1/creators/crt_1/scans', {}, (client, options) => client.scans.queue('crt_1', options)],
  [
    'POST /v1/creators/crt_1/resend-invitation',
    {},
    (client, options) => client.creators.resendInvitation('crt_1', options),
  ],
  [
    'POST /v1/cases/cas_1/deindex-requests',
    { provider: 'search' },
    (client, options) => client.deindexing.request('cas_1', { provider: 'search' }, options),
  ],
  [
    'POST /v1/creators/crt_1/impersonations',
    { url: 'https://x.com/a' },
    (client, options) => client.impersonations.report('crt_1', { url: 'https://x.com/a' }, options),
  ],
];

const LISTS: readonly (readonly [string, (client: CreatorProtection) => AsyncIterable<unknown>])[] = [
  ['/v1/creators', (client) => client.creators.list()],
  ['/v1/creators/crt_1/cases', (client) => client.cases.list('crt_1')],
  ['/v1/creators/crt_1/activity', (client) => client.creators.activity('crt_1')],
  ['/v1/creators/crt_1/impersonations', (client) => client.impersonations.list('crt_1')],
  ['/v1/events', (client) => client.events.list()],
];

describe('a call is sent as', () => {
  it.each(CALLS)('%s with %j', async (request, body, call) => {
    const service = new ScriptedService(answered({ id: 'x' }));
    expect(await call(service.client())).toEqual({ id: 'x' });
    const [sent] = service.sent;
    expect([`${sent?.method} ${sent?.path}`, JSON.parse(sent?.body ?? 'null')]).toEqual([request, body]);
    expect(sent?.headers.has('idempotency-key')).toBe(false);
  });

  it.each(ONCE)('%s with %j and an idempotency key, the same for its repeats', async (request, body, call) => {
    const service = new ScriptedService(brokenOff(), answered({ id: 'x' }));
    const client = service.client({ maxRetries: 1 });
    await call(client);
    await call(client);
    await call(client, { idempotencyKey: 'job 7' });
    const keys = service.sent.map(({ headers }) => headers.get('idempotency-key'));
    const made = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([made, keys[0], made, 'job 7']);
    expect(keys[2]).not.toBe(keys[0]);
    for (const sent of service.sent)
      expect([`${sent.method} ${sent.path}`, JSON.parse(sent.body ?? '')]).toEqual([request, body]);
  });

  it.each(LISTS)('GET %s, page by page', async (path, list) => {
    const service = new ScriptedService(pageOf([1, 2], 'a&b'), pageOf([], 'c'), pageOf([3], null));
    expect(await itemsOf(list(service.client()))).toEqual([1, 2, 3]);
    expect(service.sent.map((sent) => sent.path)).toEqual([
      `${path}?limit=100`,
      `${path}?limit=100&after=a%26b`,
      `${path}?limit=100&after=c`,
    ]);
  });
});

describe('an id', () => {
  it.each(['', '.', '..', undefined as unknown as string])('that is %j is refused before anything is sent', (id) => {
    expect(() => new ScriptedService().client().creators.get(id)).toThrow(TypeError);
  });

  it('stays one segment of the path', async () => {
    const service = new ScriptedService(answered({ id: 'x' }));
    await service.client().creators.get('a/../b?c#é');
    expect(service.sent[0]?.path).toBe('/v1/creators/a%2F..%2Fb%3Fc%23%C3%A9');
  });
});

describe('the answer to a call', () => {
  it('is there with its data', async () => {
    const client = new ScriptedService(answered({ id: 'crt_1' }, 201, { location: '/v1/creators/crt_1' })).client();
    const { data, requestId, response } = await client.creators.enroll(enrollment).withResponse();
    expect([data, requestId, response.status]).toEqual([{ id: 'crt_1' }, 'req-1', 201]);
    expect(response.headers.get('location')).toBe('/v1/creators/crt_1');
    expect(await response.json()).toEqual({ id: 'crt_1' });
  });

  it('rejects once, with or without the response', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const client = new ScriptedService(refused(404, 'not_found')).client();
    await expect(client.scans.get('scn_1').withResponse()).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.scans.get('scn_1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.scans.get('scn_1').finally(() => undefined)).rejects.toMatchObject({ status: 404 });
    await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', listen);
    expect(unhandled).toEqual([]);
  });
});
