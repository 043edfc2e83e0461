import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { agencyId, ENCRYPTED, ERASED, PersonalDataUnreadable, type ScanId, type UserId } from '#kernel';
import { json, ScriptedPlatform } from '../../testing/src/scripted-platform.js';
import { createNativePlatform, type NativePlatform } from './native-platform.js';
import { agency, USER } from './records/records.fixtures.js';
import { SELF_SIGNED } from './testing/self-signed.js';

const A = agencyId('agency-1');
const U = USER as UserId;
const closing: (() => Promise<unknown>)[] = [];
const environment = { ...process.env };

afterEach(async () => {
  process.env = { ...environment };
  for (const close of closing.splice(0)) await close();
});

const at = (url: string): NativePlatform => {
  const platform = createNativePlatform({ platform: { url, token: 'token' }, timeout: 5_000 });
  closing.unshift(() => platform.close());
  return platform;
};

const service = async (): Promise<ScriptedPlatform> => {
  const started = await ScriptedPlatform.start();
  closing.push(() => started.close());
  started.answer(json(200, agency));
  return started;
};

test('without an address nothing can be verified', async () => {
  const { client, close } = createNativePlatform({ timeout: 1_000 });
  const unavailable = { code: 'agency_verification_unavailable' };
  await expect(client.getAgency(A)).rejects.toMatchObject(unavailable);
  await expect(client.getCapacity(A)).rejects.toMatchObject(unavailable);
  await expect(client.occupySlot(A, U, 7)).rejects.toMatchObject(unavailable);
  await expect(client.listLeaks(A, U, { limit: 1 })).rejects.toMatchObject(unavailable);
  await expect(client.listImpersonations(A, U, { limit: 1 })).rejects.toMatchObject(unavailable);
  await expect(client.listActivity(A, U, { limit: 1 })).rejects.toMatchObject(unavailable);
  await close();
});

test.each<[string, (platform: NativePlatform, text: string) => Promise<unknown>]>([
  ['path', ({ client }, text) => client.getCreator(A, text as UserId)],
  ['query', ({ client }, text) => client.listLeaks(A, U, { limit: 1, after: text })],
  ['body', ({ client }, text) => client.updateIdentity(A, U, { aliases: ['mimi', text] })],
])('D71: a call with a stand-in for a personal text in its %s is not sent', async (_, call) => {
  const platform = await service();
  for (const text of [ENCRYPTED, ERASED]) {
    await expect(call(at(platform.url), text)).rejects.toBeInstanceOf(PersonalDataUnreadable);
  }
  expect(platform.calls).toEqual([]);
});

test('without an engine there is nothing to scan with', async () => {
  const { engine, close } = createNativePlatform({ timeout: 1_000 });
  const notConfigured = { code: 'svc_engine_not_configured' };
  expect(engine.configured).toBe(false);
  await expect(
    engine.dispatch({ reference: 'scn_1' as ScanId, agencyId: A, userId: U, handles: [] }),
  ).rejects.toMatchObject(notConfigured);
  await expect(engine.findJob('scn_1' as ScanId)).rejects.toMatchObject(notConfigured);
  await expect(engine.getJob('job-1')).rejects.toMatchObject(notConfigured);
  await close();
});

test('a token that no header can hold stops the start, and is not shown', () => {
  const start = () => createNativePlatform({ platform: { url: 'http://x', token: 'se\ncret' }, timeout: 1_000 });
  expect(start).toThrow('the token for http://x is not a valid bearer token');
});

test('calls one after another share a connection', async () => {
  const scripted = await service();
  const { client } = at(scripted.url);
  for (let n = 0; n < 6; n++) await client.getAgency(A);
  // The pool may open a second one before it knows that the first is free again.
  expect(scripted.connections).toBeLessThanOrEqual(2);
});

test('close waits for the calls under way, and refuses later ones', async () => {
  const scripted = await service();
  const arrived = new Promise<() => void>((resolve) =>
    scripted.answer((response) => resolve(() => json(200, agency)(response))),
  );
  const platform = createNativePlatform({ platform: { url: scripted.url, token: 'token' }, timeout: 5_000 });
  const call = platform.client.getAgency(A);
  const release = await arrived;
  const closed = platform.close();
  release();
  expect(await call).toMatchObject({ id: A });
  await closed;
  await expect(platform.client.getAgency(A)).rejects.toMatchObject({ code: 'provider_unavailable' });
});

test('an aborted call has no outcome and is not repeated, and the client can be closed after it', async () => {
  const scripted = await service();
  const platform = at(scripted.url);
  const bothArrived = new Promise<void>((resolve) =>
    scripted.answer(() => {
      if (scripted.calls.length === 2) resolve();
    }),
  );
  const read = platform.client.getAgency(A);
  const change = platform.client.occupySlot(A, U, 7);
  await bothArrived;
  await platform.abortInFlight();
  await expect(read).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(await change).toMatchObject({ outcome: 'unknown', error: { code: 'provider_unavailable' } });
  expect(scripted.calls.length).toBe(2);
  await platform.close();
});

test('no proxy is used, with any environment', async () => {
  const [scripted, proxy] = [await service(), await service()];
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']) process.env[name] = proxy.url;
  expect(await at(scripted.url).client.getAgency(A)).toMatchObject({ id: A });
  expect(proxy.calls).toEqual([]);
});

test('an untrusted certificate is not accepted, with any environment', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  let requests = 0;
  const server = createServer(SELF_SIGNED, (_, response) => {
    requests++;
    response.end(JSON.stringify(agency));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => server.close());
  const { client } = at(`https://localhost:${(server.address() as AddressInfo).port}`);
  await expect(client.getAgency(A)).rejects.toMatchObject({ code: 'provider_unavailable' });
  expect(requests).toBe(0);
});
