import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startService } from '../e2e/support/start-service.js';

const CHROMIUM = '/usr/bin/chromium';
const GUIDES = ['First steps', 'Errors', 'Repeats', 'The event feed', 'Webhooks'];
const RESOURCES = [
  'Connection',
  'Workspaces',
  'Creators',
  'Scans',
  'Cases',
  'Deindexing',
  'Impersonations',
  'Usage',
  'Events',
];

const service = await startService();

describe('the answer at /docs', () => {
  it('allows scripts and styles by a nonce alone, made for each answer, and nothing from elsewhere', async () => {
    const nonces = await Promise.all(
      ['/docs', '/docs/'].map(async (path) => {
        const answer = await fetch(service.url + path);
        const policy = String(answer.headers.get('content-security-policy'));
        const [, nonce = ''] = /script-src 'nonce-([A-Za-z0-9+/=]{22,})';/.exec(policy) ?? [];
        expect(policy).toBe(
          `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:; ` +
            "worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        );
        expect(await answer.text()).toContain(`nonce="${nonce}"`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it.each(['/openapi.json', '/docs/openapi.json', '/docs/redoc.js'])(
    'has %s, compressed if it is asked for',
    async (path) => {
      const [plain, zipped] = await Promise.all(
        ['identity', 'br, gzip'].map((accept) => fetch(service.url + path, { headers: { 'accept-encoding': accept } })),
      );
      expect(plain?.headers.get('content-encoding')).toBeNull();
      expect(zipped?.headers.get('content-encoding')).toBe('gzip');
      expect(Number(zipped?.headers.get('content-length'))).toBeLessThan(
        Number(plain?.headers.get('content-length')) / 2,
      );
      expect(await zipped?.text()).toBe(await plain?.text());
    },
  );
});

// Without a browser these are skipped, and listed as such.
(existsSync(CHROMIUM) ? describe : describe.skip)('the page in a browser', () => {
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    const args = ['--headless', '--no-sandbox', '--disable-gpu'];
    browser = await chromium.launch({ executablePath: CHROMIUM, args });
    page = await browser.newPage({ viewport: { width: 1_400, height: 1_000 } });
    page.on('request', (request) => requested.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    // A violation of the policy is an error on the console.
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(`${service.url}/docs`);
    await page.getByRole('heading', { name: /Creator Protection Agency API/ }).waitFor();
  });

  afterAll(() => browser?.close());

  it('has the guides, then the resources in their order', async () => {
    const entries = page.locator('.menu-content label').locator('visible=true');
    const shown = (await entries.allInnerTexts()).map((entry) => entry.trim());
    expect(shown).toEqual([...GUIDES, ...RESOURCES]);
  });

  it('shows an operation with its scope, its errors and samples in three languages', async () => {
    await page.goto(`${service.url}/docs#tag/Scans/operation/queueScan`);
    const operation = page.locator('[id="tag/Scans/operation/queueScan"]');
    await operation.getByText('Scope: scans:write').waitFor();
    await operation.getByText('scan_limit_reached').first().waitFor();
    for (const [label, text] of [
      ['curl', 'curl -X POST "$SVC_URL/v1/creators/'],
      ['TypeScript', 'client.scans.queue('],
      ['Python', 'requests.post('],
    ] as const) {
      await operation.getByRole('tab', { name: label }).click();
      await operation.getByRole('tabpanel').filter({ hasText: text }).waitFor();
    }
  });

  it('shows the payload of a webhook', async () => {
    await page.goto(`${service.url}/docs#tag/Events/operation/receiveScanCompletedEvent`);
    await page
      .locator('[id="tag/Events/operation/receiveScanCompletedEvent"]')
      .getByText('X-SVC-Signature')
      .first()
      .waitFor();
  });

  it('finds an operation by a word', async () => {
    await page.getByRole('searchbox').or(page.locator('input[type=text]')).first().fill('invitation');
    await page.locator('[data-role="search:results"]').getByText('resend-invitation').first().waitFor();
  });

  it('has its styles, which come with the nonce', async () => {
    const width = await page.locator('.menu-content').evaluate((menu) => menu.getBoundingClientRect().width);
    expect(width).toBe(260);
  });

  it('has loaded nothing from elsewhere, and broken no rule of its policy', () => {
    const elsewhere = requested.filter((url) => !url.startsWith(service.url) && !/^(?:data|blob):/.test(url));
    expect(elsewhere).toEqual([]);
    expect(requested).toContain(`${service.url}/docs/redoc.js`);
    expect(complaints).toEqual([]);
  });
});
