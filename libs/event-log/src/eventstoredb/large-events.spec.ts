import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { LogPage } from '#kernel';
import { event, revisions } from '../contract/given-events.js';
import { openEventStoreDbStoredLog } from './open.js';
import { logOnDouble } from './testing/log-on-double.js';

const EVENTS = 24;
const all = Array.from({ length: EVENTS }, (_, n) => n);
/** The number of events of 400 KB in a page of 4 MiB. */
const PAGE_EVENTS = 11;

let opened: Awaited<ReturnType<typeof logOnDouble>>;

beforeEach(async () => {
  opened = await logOnDouble();
});
afterEach(() => opened.close());

const append = async () => {
  const text = 'x'.repeat(400_000);
  for (let n = 0; n < EVENTS; n++) await opened.log.append('thing-1', 'any', [event({ text })]);
};
const readWith = async (options: { readonly types?: ReadonlySet<string> }) => {
  const pages: LogPage[] = [];
  for (let after = 0; pages.at(-1)?.atEnd !== true; after = pages.at(-1)?.reached ?? 0) {
    pages.push(await opened.log.readLog({ ...options, after }));
  }
  return pages;
};

test.each([[{}], [{ types: new Set(['thing.happened.v1']) }]])(
  'end a page of the log early, with the filter %j',
  async (filter) => {
    await append();
    const pages = await readWith(filter);
    expect(pages.map(({ events }) => events.length)).toEqual([PAGE_EVENTS, PAGE_EVENTS, EVENTS - 2 * PAGE_EVENTS]);
    expect(pages.flatMap(({ events }) => revisions(events))).toEqual(all);
  },
);

test('end a page of the stored log early', async () => {
  await append();
  const stored = openEventStoreDbStoredLog({ url: opened.double.url });
  const pages: number[] = [];
  for await (const page of stored.pages()) pages.push(page.length);
  await stored.close();
  expect(pages).toEqual([PAGE_EVENTS, PAGE_EVENTS, EVENTS - 2 * PAGE_EVENTS]);
});
