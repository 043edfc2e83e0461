import { expect, test } from '@jest/globals';
import type { Page } from '#client';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Event } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const types = async (agency: Agency) => (await agency.publishedEvents()).map(({ type }) => type);
const last = async (agency: Agency) => (await agency.publishedEvents()).at(-1);

/** The bytes of each event, as they stand in the page. */
const bytesOf = ({ text }: { text: string }): string[] =>
  text.slice('{"data":['.length, text.indexOf('],"next_cursor"')).split(/,(?=\{"id":"evt_)/);

test('ids and bytes are the same on every read and every page size (D58)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await agency.scanThatIs('completed', (await agency.scan(id)).id);
  await agency.api.protect(id, 'paused');
  const whole = bytesOf(await agency.api.get('/v1/events?limit=100'));
  expect(whole.length).toBeGreaterThan(5);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await agency.api.get(`/v1/events?limit=2${cursor}`);
    paged.push(...bytesOf(page));
    const { next_cursor } = bodyOf<Page<Event>>(page);
    if (next_cursor === null) break;
    cursor = `&after=${next_cursor}`;
  }
  expect(paged).toEqual(whole);
  await service.restart();
  expect(bytesOf(await agency.api.get('/v1/events?limit=100'))).toEqual(whole);
});

test('a reader that polls with the last event it has seen misses nothing and sees nothing twice (D57)', async () => {
  const agency = await service.agency();
  const seen: Event[] = [];
  const poll = async () => {
    const after = seen.at(-1);
    const page = await agency.api.got<Page<Event>>(`/v1/events?limit=3${after ? `&after=${after.id}` : ''}`);
    seen.push(...page.data);
  };
  const writing = Promise.all(
    Array.from({ length: 8 }, async () => {
      const { id } = await agency.active();
      await agency.api.protect(id, 'paused');
    }),
  );
  let isWriting = true;
  writing.finally(() => {
    isWriting = false;
  });
  while (isWriting) await poll();
  await writing;
  const all = await agency.publishedEvents();
  while (seen.length < all.length) await poll();
  expect(seen).toEqual(all);
  expect(all.map(({ created_at }) => created_at)).toEqual(all.map(({ created_at }) => created_at).toSorted());
});

test('a malformed or unknown event id, or one of another agency, is no valid cursor (D13, D57)', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  await other.linked();
  const foreign = (await last(other))?.id ?? '';
  for (const after of ['x', 'evt_00000000000000000000000000', foreign, foreign.replace('evt_', 'cas_')]) {
    expect(refusedFields(await agency.api.get(`/v1/events?after=${after}`))).toEqual(['after']);
  }
});

test('events of a creator that left are left out, and stay valid cursors; a page may be empty with one (D13, D57)', async () => {
  const agency = await service.agency();
  const gone = await agency.active();
  const hidden = await agency.publishedEvents();
  const stays = await agency.linked();
  await agency.changeUser(gone.userId, { agency_id: null });
  expect((await agency.api.get(`/v1/creators/${gone.id}`)).outcome).toBe('404 not_found');
  expect((await agency.publishedEvents()).map(({ data }) => data.creator_id)).toEqual([stays.id]);
  const [first] = hidden;
  const page = await agency.api.got<Page<Event>>('/v1/events?limit=1');
  expect(page).toEqual({ data: [], next_cursor: first?.id, simulated: false });
  const rest = await agency.api.got<Page<Event>>(`/v1/events?after=${hidden.at(-1)?.id}`);
  expect(rest.data.map(({ data }) => data.creator_id)).toEqual([stays.id]);
});

test('the events of a creator that returns are in the feed again, where they were before (D43, D57)', async () => {
  const agency = await service.agency();
  const { id, userId } = await agency.active();
  await agency.linked();
  const before = await agency.publishedEvents();
  await agency.changeUser(userId, { agency_id: null });
  await agency.api.get(`/v1/creators/${id}`);
  expect(await agency.publishedEvents()).toHaveLength(1);
  await agency.changeUser(userId, { agency_id: agency.id });
  await agency.api.creator(id);
  expect((await agency.publishedEvents()).slice(0, before.length)).toEqual(before);
});

test('an agency gets the events of its creators only', async () => {
  const [agency, other] = [await service.agency(), await service.agency()];
  await agency.active();
  expect(await types(other)).toEqual([]);
});
