import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CheckResult, runChecks } from '../../apps/platform-sandbox/src/conformance/run-checks.js';
import { type Sandbox, startSandbox } from '../../apps/platform-sandbox/src/index.js';
import { SecondPlatform } from './index.js';

let sandbox: Sandbox;
let second: SecondPlatform;

beforeAll(async () => {
  sandbox = await startSandbox({ token: 'conformance', demo: true, scanDurationMs: 50 });
  second = await SecondPlatform.start(sandbox);
});
afterAll(async () => {
  await second.stop();
  await sandbox.close();
});

test('the second platform passes the conformance checks at three addresses, none skipped', async () => {
  const { platform, engine, search } = second;
  const { url, token } = platform;
  const results: CheckResult[] = [];
  for await (const result of runChecks({ url, token, engine, search, agency: 'agency_demo' })) results.push(result);
  expect(results.filter(({ result }) => result !== 'pass')).toEqual([]);
  expect(results.length).toBeGreaterThan(100);
});

test('a request that the contract does not allow is refused, and is a complaint', async () => {
  const path = `/agencies/agency_demo/creators/${crypto.randomUUID()}/impersonations`;
  const key = { 'idempotency-key': 'k' };
  const json = { 'content-type': 'application/json' };
  const report = JSON.stringify({ reference: 'k', url: 'https://x.com/not_her' });
  const send = async (method: string, to: string, headers: Record<string, string> = {}, body: string | null = null) => {
    const before = (await second.complaints()).length;
    const authorization = `Bearer ${second.platform.token}`;
    const { status } = await fetch(second.platform.url + to, { method, headers: { authorization, ...headers }, body });
    return [status, (await second.complaints()).length - before];
  };
  expect(await send('POST', path, { ...key, ...json }, report)).toEqual([404, 0]);
  expect(await send('GET', '/agencies/agency_demo', { authorization: `Bearer ${sandbox.token}` })).toEqual([401, 1]);
  expect(await send('GET', '/scan-jobs?reference=r')).toEqual([404, 1]);
  expect(await send('GET', '/agencies/agency_demo', key)).toEqual([400, 1]);
  expect(await send('GET', '/agencies/agency_demo', { 'x-request-id': '1' })).toEqual([400, 1]);
  expect(await send('POST', path, { ...key, 'content-type': 'text/plain' }, report)).toEqual([415, 1]);
  expect(await send('POST', path, json, report)).toEqual([400, 1]);
  expect(await send('GET', `${path}?cursor=c`)).toEqual([400, 1]);
});
