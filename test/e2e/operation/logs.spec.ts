import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { readConfig } from '#configuration';
import { agencyId, ConsistencyToken, newEventId, SECOND } from '#kernel';
import { createLogger } from '#observability';
import { eventually } from '#testing';
import { SandboxClient, startSandbox } from '../../../apps/platform-sandbox/src/index.js';
import { bindAgency, issueKey } from '../../support/agency-commands.js';
import { openService } from '../../support/open-service.js';
import { ApiClient, bodyOf } from '../support/api-client.js';

const PLATFORM_TOKEN = 'canary-platform-token';
const CANARY = {
  name: 'Canarina Wrenfield',
  alias: 'canarywren',
  email: 'canary.wrenfield@post.example',
  firstName: 'Canarina',
  externalId: 'canary-external-77',
  url: 'https://onlyfans.com/canarywren',
  leak: 'https://canary-leaks.example/wren',
};

const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => lines.push(line) });
const directory = mkdtempSync(join(tmpdir(), 'logs-'));
const sandbox = await startSandbox({ token: PLATFORM_TOKEN, scanDurationMs: 10 });
const platform = new SandboxClient(sandbox);
const config = readConfig({
  DATA_DIR: directory,
  NATIVE_PLATFORM_URL: sandbox.url,
  NATIVE_PLATFORM_TOKEN: PLATFORM_TOKEN,
  SCAN_ENGINE_URL: sandbox.url,
  SCAN_ENGINE_TOKEN: PLATFORM_TOKEN,
  PROVIDER_TIMEOUT: '2s',
  SCAN_POLL_EVERY: '100ms',
  VERIFICATION_CACHE: '0s',
});
const service = await openService(config, { logger });
const { services } = service;
const { url } = await service.start();

afterAll(async () => {
  await service.close();
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
});

const agency = agencyId('agency_logs');
const operator = {
  actor: 'operator:test',
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
};
await platform.control('PATCH', '/agencies/agency_logs', { name: 'Logs', total_slots: 50 });
const { workspaceId } = await bindAgency(services, agency, operator);
const { key, secret } = await issueKey(services, agency, { preset: 'read_write', lifetime: 'none' }, operator);
const api = new ApiClient(() => url, secret);

const identity = { display_name: CANARY.name, aliases: [CANARY.alias], profile_urls: [CANARY.url] };
const invitation = {
  workspace_id: workspaceId,
  external_id: CANARY.externalId,
  ...identity,
  email: CANARY.email,
  first_name: CANARY.firstName,
  last_name: 'Wrenfield',
};

const logged = (look: (entry: Record<string, unknown>) => boolean) =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(look);

test('each request is one line with its id, route, status, agency and key', async () => {
  const { headers } = await api.get('/v1/creators?limit=3');
  const entries = await eventually(async () => {
    const found = logged(({ request_id }) => request_id === headers['x-request-id']);
    if (found.length === 0) throw new Error('not logged yet');
    return found;
  });
  expect(entries).toEqual([
    expect.objectContaining({
      level: 30,
      method: 'GET',
      route: '/v1/creators',
      status: 200,
      agency_id: agency,
      key_id: key.keyId,
      ms: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-.+Z$/),
    }),
  ]);
});

test('an internal error is answered with the envelope and without its cause, which is logged with the request id', async () => {
  const { access } = services;
  const verify = access.verify.bind(access);
  access.verify = () => Promise.reject(new TypeError('something is broken within'));
  const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
  access.verify = verify;
  expect(answer.status).toBe(500);
  const requestId = answer.headers.get('x-request-id');
  expect(await answer.json()).toEqual({
    error: { code: 'internal_error', message: expect.not.stringContaining('broken') },
    request_id: requestId,
  });
  const [entry] = logged(({ msg, request_id }) => msg === 'request failed' && request_id === requestId);
  expect(JSON.stringify(entry)).toMatch(/something is broken within/);
});

test('D65: a record that was left out is counted by its kind, and logged with its id and no text of it', async () => {
  const { user_ids } = await platform.control<{ user_ids: [string] }>('POST', '/agencies/agency_logs/creators', {});
  const path = `/creators/${user_ids[0]}/leaks`;
  await platform.control('POST', path, { leak_id: 'leak-too-long', url: `${CANARY.leak}/${'x'.repeat(2_048)}` });
  await platform.control('POST', path, { leak_id: 'leak-that-fits', url: CANARY.leak });
  const link = { workspace_id: workspaceId, external_id: 'ext-refused', display_name: 'Mia', svc_user_id: user_ids[0] };
  const creator = bodyOf<Creator>(await api.enroll(link));
  expect((await api.cases(creator.id)).map(({ leak_id }) => leak_id)).toEqual(['leak-that-fits']);
  expect(await services.metrics.registry.metrics()).toMatch(/^provider_records_refused_total\{kind="leak"\} [1-9]/m);
  const [entry] = logged(({ kind }) => kind === 'leak');
  expect(entry).toMatchObject({
    level: 40,
    records: [{ id: 'leak-too-long', reason: expect.stringContaining('url') }],
  });
});

test('secrets, emails, names, aliases, URLs and external ids never reach the logs, in any outcome', async () => {
  const [user] = (
    await platform.control<{ user_ids: string[] }>('POST', '/agencies/agency_logs/creators', {
      display_name: CANARY.name,
      aliases: [CANARY.alias],
      profiles: [{ platform: 'onlyfans', username: CANARY.alias }],
    })
  ).user_ids;
  await platform.control('POST', `/creators/${user}/leaks`, { url: CANARY.leak });
  const fault = (operation: string, kind: string, more: object = {}) =>
    platform.control('POST', '/faults', { operation, kind, times: 1, ...more });

  for (const kind of ['broken_json', 'wrong_shape', 'close_before', 'close_after', 'hang']) {
    await fault('invite', kind);
    await api.enroll({ ...invitation, external_id: `${CANARY.externalId}-${kind}` });
    await fault('updateIdentity', kind);
    await api.enroll({
      workspace_id: workspaceId,
      external_id: `${CANARY.externalId}-link`,
      svc_user_id: user,
      ...identity,
    });
  }
  await api.enroll({ ...invitation, unknown_field: CANARY.name });
  await api.enroll({ ...invitation, external_id: `${CANARY.externalId}-rejected`, email: 'canary@rejected.example' });
  await api.enroll(invitation);
  await api.enroll({ ...invitation, display_name: `${CANARY.name} II` });
  const linked = bodyOf<Creator>(
    await api.enroll({
      workspace_id: workspaceId,
      external_id: `${CANARY.externalId}-link`,
      svc_user_id: user,
      ...identity,
    }),
  );
  await api.patch(linked.id, { display_name: CANARY.name, aliases: [`${CANARY.alias}2`] });
  await api.protect(linked.id, 'active');
  await fault('dispatchScan', 'status', { status: 500, times: 5 });
  await fault('listLeaks', 'broken_json');
  await api.queueScan(linked.id, 'canary-key-9');
  await api.get(`/v1/creators/${linked.id}/cases`);
  await new ApiClient(() => url, `${secret.slice(0, -1)}x`).get('/v1/me');
  await api.send('POST', '/v1/creators', {
    headers: { 'content-type': 'application/json' },
    body: `{"email": "${CANARY.email}"`,
  });
  await eventually(
    async () => {
      if (!lines.some((line) => line.includes('postponed'))) throw new Error('no worker has failed yet');
    },
    { within: 20 * SECOND },
  );

  const text = lines.join('');
  expect(lines.length).toBeGreaterThan(20);
  for (const canary of [
    ...Object.values(CANARY),
    'Canarina',
    'Wrenfield',
    secret,
    secret.slice(9, 30),
    PLATFORM_TOKEN,
  ]) {
    expect(text).not.toContain(canary);
  }
  expect(text).not.toMatch(/svc_live_/);
});
