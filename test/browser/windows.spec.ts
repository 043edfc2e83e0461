import { expect, it } from '@jest/globals';
import { eventually } from '#testing';
import { startBoundDashboard } from './support/start-dashboard.js';
import { Visitor } from './support/visitor.js';

const dashboard = await startBoundDashboard();

it('a window whose live connection went to a newer one leaves it there, until it is used again', async () => {
  const windows = [await Visitor.signedIn(dashboard.url, 'Nora Lindgren', '/events')];
  const cookies = await windows[0]?.context.cookies();
  for (const name of ['second', 'third']) {
    const window = await Visitor.arrive(dashboard.url);
    await window.context.addCookies(cookies ?? []);
    const isConnected = window.page.waitForResponse(/\/api\/live$/);
    await window.open(`/events?creator=${name}`);
    await isConnected;
    windows.push(window);
  }
  const asked: string[] = [];
  for (const { page } of windows) page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const countOf = (part: string) => asked.filter((path) => path.endsWith(part)).length;
  await eventually(async () => expect(countOf('/api/events')).toBeGreaterThan(4));
  expect(countOf('/api/live')).toBe(0);
  await windows[0]?.page.evaluate("window.dispatchEvent(new Event('focus'))");
  await eventually(async () => expect(countOf('/api/live')).toBe(1));
  expect(windows.flatMap(({ problems }) => problems)).toEqual([]);
});
