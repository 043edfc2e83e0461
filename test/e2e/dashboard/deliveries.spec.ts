import { expect, test } from '@jest/globals';
import { type CreatorId, MINUTE } from '#kernel';
import { DisableEndpoint, EnableEndpoint, endpointListProjection } from '#webhooks';
import { erase } from '../../support/operator-actions.js';
import { DashboardPage } from '../support/dashboard-page.js';
import { recordDeadLetter } from '../support/lag.js';
import { operator } from '../support/operator.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });

const listening = async () => {
  const agency = await service.agency();
  const owner = await DashboardPage.ofOwner(service, agency);
  const receiver = await Receiver.start();
  const { id } = await agency.endpoint(receiver.url);
  return { agency, owner, receiver, endpointId: id };
};

interface Listed {
  readonly id: string;
  readonly event_id: string;
  readonly creator_id: string;
  readonly created_at: number;
}
interface Found {
  readonly data: readonly Listed[];
  readonly next_cursor: string | null;
  readonly searched_until: number | null;
  readonly disabled_spans?: readonly object[];
}

const list = async (visitor: DashboardPage, query = '') => {
  await service.quiet();
  const { status, body } = await visitor.get<Found>(`/deliveries${query}`);
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};

test('deliveries are listed, newest first, and each filter finds its own', async () => {
  const { agency, owner, receiver, endpointId } = await listening();
  const first = await agency.linked();
  await service.quiet();
  receiver.answers(503);
  const second = await agency.linked();
  const { data, next_cursor: next, searched_until: until } = await list(owner);
  expect([next, until]).toEqual([null, null]);
  expect(data).toMatchObject([
    { creator_id: second.id, status: 'pending', attempts: 1, last_status: 503, next_attempt_at: expect.any(Number) },
    {
      creator_id: first.id,
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      next_attempt_at: null,
      endpoint_id: endpointId,
    },
  ]);
  const [failing, delivered] = data as [Listed, Listed];
  for (const [query, found] of [
    ['status=delivered', [delivered]],
    [`endpoint=${endpointId}`, [failing, delivered]],
    ['type=creator.updated', [failing, delivered]],
    ['type=case.created', []],
    ['answer=503', [failing]],
    [`creator=${first.id}`, [delivered]],
    [`event=${failing.event_id}`, [failing]],
    [`from=${failing.created_at}`, [failing]],
    [`to=${delivered.created_at}`, [delivered]],
    ['tab=undelivered', [failing]],
    [`creator=${first.id}&status=failed`, []],
  ] as const) {
    expect([query, (await list(owner, `?${query}`)).data]).toEqual([query, found]);
  }
  const page = await list(owner, '?limit=1');
  expect(page).toMatchObject({ data: [failing], next_cursor: failing.id });
  expect((await list(owner, `?limit=1&after=${page.next_cursor}`)).data).toEqual([delivered]);
});

test.each([
  'endpoint=whe_none',
  'creator=1',
  'event=crt_1',
  'type=ping',
  'status=lost',
  'from=now',
  'after=x',
  'colour=1',
])('a filter that can match nothing is refused: %s', async (query) => {
  const { owner } = await listening();
  expect((await owner.get(`/deliveries?${query}`)).status).toBe(400);
});

test('one delivery shows its bytes, its headers, and each attempt', async () => {
  const { agency, owner, receiver } = await listening();
  receiver.answers(500);
  await agency.linked();
  await service.quiet();
  receiver.answers(200);
  await service.pass(2 * MINUTE);
  const [listed] = (await list(owner)).data;
  const { body } = await owner.get<Record<string, unknown>>(`/deliveries/${listed?.id}`);
  const last = receiver.received.at(-1);
  expect(body).toMatchObject({
    id: listed?.id,
    status: 'delivered',
    bytes: last?.body.toString(),
    withheld: null,
    headers: { 'X-SVC-Signature': last?.headers['x-svc-signature'], 'webhook-id': listed?.event_id },
    attempts: [
      { sent_at: expect.any(Number), ms: expect.any(Number), status: 500, error: 'refused' },
      { sent_at: expect.any(Number), ms: expect.any(Number), status: 200, error: null },
    ],
  });
});

test('the events of an erased creator have no bytes any more', async () => {
  const { agency, owner } = await listening();
  const { id } = await agency.linked();
  const [listed] = (await list(owner)).data;
  await erase(service.services, id as CreatorId, 0);
  const { body } = await owner.get(`/deliveries/${listed?.id}`);
  expect(body).toMatchObject({ bytes: '', withheld: 'erased', headers: {} });
});

test('a delivered one is replayed by the owner, and by nobody who may not', async () => {
  const { agency, owner, receiver } = await listening();
  await agency.linked();
  const [listed] = (await list(owner)).data;
  const path = `/deliveries/${listed?.id}`;
  const member = await DashboardPage.ofMember(service, agency);
  const stranger = await DashboardPage.ofOwner(service, await service.agency());
  expect((await member.post(`${path}/replay`)).status).toBe(403);
  expect((await stranger.post(`${path}/replay`)).status).toBe(404);
  expect((await stranger.get(path)).status).toBe(404);
  expect((await member.get(path)).status).toBe(200);
  expect(await owner.post(`${path}/replay`)).toEqual({ status: 201, body: { id: listed?.id, status: 'pending' } });
  await service.quiet();
  expect(receiver.received).toHaveLength(2);
  const events = await service.services.log.readStream(`webhookDelivery-${listed?.id}`);
  expect(events.find(({ type }) => type === 'webhookDelivery.replayRequested.v1')?.metadata.actor).toBe(owner.actor);
});

test('"Undelivered" has the times in which an endpoint was disabled, with the number of events', async () => {
  const { agency, owner, endpointId } = await listening();
  const { commands } = service.services;
  await commands.execute(new DisableEndpoint(endpointId, operator()));
  await agency.linked();
  await agency.linked();
  await service.pass(MINUTE);
  await commands.execute(new EnableEndpoint(endpointId, operator()));
  const { data, disabled_spans: spans } = await list(owner, '?tab=undelivered');
  expect(data).toEqual([]);
  expect(spans).toEqual([{ endpoint_id: endpointId, from: expect.any(Number), to: expect.any(Number), count: 2 }]);
});

test('D67: the URLs of endpoints are shown while the list of endpoints is incomplete', async () => {
  const { agency, owner, receiver } = await listening();
  await agency.linked();
  await recordDeadLetter(service, agency, endpointListProjection.name);
  await service.quiet();
  expect((await owner.get('/endpoints')).status).toBe(503);
  expect((await list(owner)).data).toMatchObject([{ endpoint_url: receiver.url }]);
});
