#!/usr/bin/env node
// Takes the screenshots of docs/images from the build in `dist`, as the demo agency's owner sees it after `npm start` in
// an empty folder. `npm run build && node scripts/screenshots.mjs [folder]`; needs Chromium (`CHROMIUM`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const [FOLDER = join(ROOT, 'docs/images')] = process.argv.slice(2);

/** Clicks to the page, by the names of links. */
const SHOTS = [
  { file: 'overview', theme: 'light', path: '/' },
  { file: 'deliveries', theme: 'dark', path: '/deliveries' },
  { file: 'endpoint', theme: 'light', path: '/webhooks', link: /accounting/ },
  { file: 'creators', theme: 'dark', path: '/creators' },
  { file: 'usage', theme: 'light', path: '/usage' },
];

const startDemo = async (dataDir) => {
  const main = join(ROOT, 'dist/apps/standalone/src/demo-start.js');
  const env = { PORT: '0', ...process.env, DATA_DIR: dataDir };
  const demo = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let welcome = '';
  for await (const text of demo.stdout.iterator({ destroyOnReturn: false })) {
    welcome += text;
    if (welcome.includes('npm run demo')) break;
  }
  const [, url] = /^ {2}(http\S+\/dashboard)$/m.exec(welcome) ?? [];
  if (url === undefined) throw new Error(`npm start did not say where the dashboard is: ${welcome}`);
  return { demo, url };
};

/** A window with its own sign-in, because the theme belongs to the browser. */
const openWindow = async (browser, url, colorScheme) => {
  const context = await browser.newContext({ colorScheme, viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Nora Lindgren' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
};

const takeShot = async (page, url, { file, path, link }) => {
  await page.goto(url + path);
  if (link) await page.getByRole('link', { name: link }).first().click();
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: join(FOLDER, `${file}.png`), animations: 'disabled' });
};

const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
const { demo, url } = await startDemo(dataDir);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
try {
  for (const theme of ['light', 'dark']) {
    const page = await openWindow(browser, url, theme);
    for (const shot of SHOTS.filter((each) => each.theme === theme)) await takeShot(page, url, shot);
  }
} finally {
  await browser.close();
  const ended = once(demo, 'close');
  demo.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true });
}
