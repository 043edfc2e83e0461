import { expect, test } from '@jest/globals';
import type { CreatorId } from '#kernel';
import { erase } from '../../support/operator-actions.js';
import { DashboardPage } from '../support/dashboard-page.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly creator_id: string;
  readonly created_at: number;
}
interface Found {
  readonly data: readonly Listed[];
  readonly next_cursor: string | null;
}

const publishing = async () => {
  const agency = await service.agency();
  const page = await DashboardPage.ofOwner(service, agency);
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);
  const first = await agency.linked();
  const second = await agency.active();
  await service.quiet();
  return { agency, page, receiver, first, second };
};

const list = async (page: DashboardPage, query = '') => (await page.get<Found>(`/events${query}`)).body;

test('the feed is listed, newest first, by type, creator and time, in pages', async () => {
  const { agency, page, first, second } = await publishing();
  const { data } = await list(page);
  const feed = (await agency.api.events()).map(({ id }) => id);
  expect(data.map(({ id }) => id)).toEqual(feed.toReversed());
  const [newest] = data as [Listed];
  expect(newest).toMatchObject({
    ...{ type: 'protection.activated', creator_id: second.id, summary: 'Protection started: api request' },
  });
  expect((await list(page, '?type=protection.activated')).data).toEqual([newest]);
  expect((await list(page, `?creator=${first.id}`)).data).toEqual(data.filter((one) => one.creator_id === first.id));
  expect((await list(page, `?creator=${first.id}&type=protection.activated`)).data).toEqual([]);
  expect((await list(page, `?from=${newest.created_at}`)).data).toEqual([newest]);
  const { data: start, next_cursor: next } = await list(page, '?limit=1');
  expect(start).toEqual([newest]);
  expect((await list(page, `?after=${next}`)).data).toEqual(data.slice(1));
  for (const query of ['after=x', 'creator=evt_1', 'type=ping', 'from=now']) {
    expect((await page.get(`/events?${query}`)).status).toBe(400);
  }
});

test('an event shows its bytes, its deliveries, and what has caused it', async () => {
  const { page, receiver, agency, second } = await publishing();
  const [newest] = (await list(page)).data;
  const { status, body } = await page.get(`/events/${newest?.id}`);
  expect(status).toBe(200);
  // Events of one moment may arrive in any order.
  const sent = receiver.received.find(({ headers }) => headers['x-svc-event-id'] === newest?.id);
  expect(body).toMatchObject({
    id: newest?.id,
    bytes: sent?.body.toString(),
    withheld: null,
    deliveries: [{ event_id: newest?.id, status: 'delivered' }],
    cause: { type: 'creator.protectionActivated.v1', stream: `creator-${second.id}`, actor: `key:${agency.keyId}` },
  });
  const other = await DashboardPage.ofOwner(service, await service.agency());
  expect((await other.get(`/events/${newest?.id}`)).status).toBe(404);
  expect((await list(other)).data).toEqual([]);
});

test('what is filtered is a file too, as lines of JSON and for a spreadsheet', async () => {
  const { agency, page, second } = await publishing();
  const read = async (query: string) => (await page.fetch('GET', `/events/file?${query}`)).text();
  const lines = (await read('format=jsonl')).trimEnd().split('\n');
  const feed = (await agency.api.events()).map(({ id }) => id);
  expect(lines.map((line) => (JSON.parse(line) as Listed).id)).toEqual(feed.toReversed());
  const [header, row, ...rest] = (await read('format=csv&type=protection.activated')).trimEnd().split(/\r?\n/);
  expect(header).toContain('"id","type","creator_id","creator_name","summary","created_at"');
  expect(row).toContain(`"protection.activated","${second.id}",`);
  expect(row).toContain('Protection started: api request');
  expect(rest).toEqual([]);
  expect((await page.fetch('GET', '/events/file?format=xml')).status).toBe(400);
});

test('an erased creator is in no event any more', async () => {
  const { page, first } = await publishing();
  const [event] = (await list(page, `?creator=${first.id}`)).data;
  await erase(service.services, first.id as CreatorId, 0);
  await service.quiet();
  expect((await page.get(`/events/${event?.id}`)).status).toBe(404);
  expect(JSON.stringify(await list(page))).not.toContain(first.id);
});
