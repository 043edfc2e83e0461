import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { startLargeDashboard } from './dashboard.js';
import { type Bench, median, middleRound, ratiosOf } from './figures.js';
import type { DashboardReady } from './processes/dashboard-api.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const PAGES: Readonly<Record<string, string>> = {
  'API keys': '/keys',
  Webhooks: '/endpoints',
  Deliveries: '/deliveries?limit=50',
  Events: '/events?limit=50',
  Requests: '/requests?limit=50',
  Creators: '/creators?limit=50',
  Usage: '/usage',
};
/** Milliseconds from a click until a row is painted. */
const ALLOWED = { first: 1_200, again: 300 };
const MAX_ELEMENTS = 1_500;
const ROUNDS = 5;

interface Opened {
  readonly name: string;
  readonly first: number;
  readonly again: number;
  readonly elements: number;
}

interface Browsed {
  readonly opened: readonly Opened[];
  /** Milliseconds until the answer to the request of a page, without the page. */
  readonly request: number;
}

/** Runs in the page: text, because the types of a browser are not those of the service. */
const click = (page: Page, name: string): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const isShown = () => document.querySelector('h1')?.textContent === '${name}' && document.querySelector('main tbody tr');
    const painted = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    const look = () => (isShown() ? painted() : requestAnimationFrame(look));
    const link = [...document.querySelectorAll('nav a')].find(({ textContent }) => textContent.startsWith('${name}'));
    const began = performance.now();
    link.click();
    look();
  })`);

const fetched = (page: Page, path: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    const began = performance.now();
    await (await fetch('/dashboard/api${path}')).json();
    return performance.now() - began;
  })()`);

/** Opens each page twice in a browser with an empty profile, and asks for the same without the page. */
const browse = async (browser: Browser, dashboardUrl: string, cookie: string): Promise<Browsed> => {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: dashboardUrl }]);
  const page = await context.newPage();
  await page.goto(`${dashboardUrl}/`);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  const first = new Map<string, number>();
  for (const each of Object.keys(PAGES)) first.set(each, await click(page, each));
  const opened: Opened[] = [];
  const requests: number[] = [];
  for (const [each, path] of Object.entries(PAGES)) {
    const again = await click(page, each);
    const elements = await page.evaluate<number>('document.querySelectorAll("*").length');
    opened.push({ name: each, first: first.get(each) ?? Number.NaN, again, elements });
    requests.push(await fetched(page, path));
  }
  await context.close();
  return { opened, request: median(requests) };
};

const launch = ({ url, dashboardUrl }: DashboardReady): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      `--host-resolver-rules=MAP ${new URL(dashboardUrl).host} ${new URL(url).host}`,
      `--explicitly-allowed-ports=${new URL(dashboardUrl).port}`,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });

/** The request of a page alone against the click that opens it; holds if each page is painted in time. */
export default {
  name: 'request of a page of the dashboard, against the click in Chromium until its first row is painted',
  wanted: 0.05,
  async run(dir: string) {
    if (!existsSync(CHROMIUM)) return 'Chromium is not installed';
    const { sandbox, app } = await startLargeDashboard(dir);
    const browser = await launch(app.ready);
    const rounds: Browsed[] = [];
    for (const cookie of app.ready.cookies.slice(0, ROUNDS)) {
      rounds.push(await browse(browser, app.ready.dashboardUrl, cookie));
    }
    await browser.close();
    for (const started of [app, sandbox]) await started.stop();
    const pages = Object.keys(PAGES).map((name) => {
      const own = rounds.flatMap(({ opened }) => opened.filter((one) => one.name === name));
      return {
        name,
        first: median(own.map(({ first }) => first)),
        again: median(own.map(({ again }) => again)),
        elements: Math.max(...own.map(({ elements }) => elements)),
      };
    });
    const holds = pages.every(
      ({ first, again, elements }) => first <= ALLOWED.first && again <= ALLOWED.again && elements <= MAX_ELEMENTS,
    );
    const [requests, clicks] = [
      rounds.map(({ request }) => request),
      rounds.map(({ opened }) => median(opened.map(({ again }) => again))),
    ];
    const note = [...pages.map(shown), ratiosOf(requests, clicks)].join('; ');
    return { ...middleRound(requests, clicks), unit: 'ms', holds, note };
  },
} satisfies Bench;

const shown = ({ name, first, again, elements }: Opened): string =>
  `${name} ${first.toFixed(0)} ms, then ${again.toFixed(0)} ms, ${elements} elements`;
