import { expect, test } from '@jest/globals';
import { startService } from '../support/start-service.js';

// The service behind a proxy that has a path before those of the API, and one that nobody has said an address to (D114).
const API_URL = 'https://api.example/protect';
const behindProxy = await startService({ env: { API_URL } });
const bare = await startService();

const textOf = async (url: string, headers = {}) => (await fetch(url, { headers, redirect: 'manual' })).text();
const serverOf = (document: string): unknown => JSON.parse(document).servers[0].variables.base_url.default;

test.each([['/openapi.json'], ['/docs/openapi.json']])(
  '%s names the public address, or else the one where the service listens',
  async (path) => {
    expect(serverOf(await textOf(behindProxy.url + path))).toBe(API_URL);
    expect(serverOf(await textOf(bare.url + path))).toBe(bare.url);
  },
);

test('the page and its guide use the public address', async () => {
  for (const path of ['/docs', '/docs/']) {
    const page = await textOf(behindProxy.url + path);
    expect(page).toContain('src="/protect/docs/redoc.js"');
    expect(page).toContain('Redoc.init("/protect/docs/openapi.json", {"downloadDefinitionUrl":"/protect/openapi.json"');
    expect(await textOf(bare.url + path)).toContain('src="/docs/redoc.js"');
  }
  expect(await textOf(`${behindProxy.url}/docs/openapi.json`)).toContain(`export SVC_URL='${API_URL}'`);
  expect(await textOf(`${bare.url}/docs/openapi.json`)).toContain(`export SVC_URL='${bare.url}'`);
});

test('Location has the path of the public address, in answers and refusals', async () => {
  const agency = await behindProxy.agency();
  const { id } = await agency.active();
  const scan = await agency.api.queueScan(id, 'k');
  expect(scan.headers.location).toMatch(/^\/protect\/v1\/scans\/scn_\w+$/);
  const enrolled = await agency.api.enroll(agency.inviteBody());
  expect(enrolled.headers.location).toMatch(/^\/protect\/v1\/creators\/crt_\w+$/);
  const refused = await agency.api.enroll(agency.inviteBody({ email: 'ivy@rejected.example' }));
  expect([refused.outcome, refused.headers.location]).toEqual([
    '400 invalid_request',
    expect.stringMatching(/^\/protect\/v1\/creators\/crt_\w+$/),
  ]);
});

test('GET / answers programs with addresses, and leads browsers to a page (D116)', async () => {
  for (const [service, url] of [
    [behindProxy, API_URL],
    [bare, bare.url],
  ] as const) {
    expect(JSON.parse(await textOf(service.url))).toEqual({
      docs: `${url}/docs`,
      openapi: `${url}/openapi.json`,
      dashboard: null,
      simulated: false,
    });
  }
  const opened = await fetch(behindProxy.url, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, '/protect/docs']);
});
