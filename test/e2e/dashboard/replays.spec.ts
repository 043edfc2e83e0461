import { expect, test } from '@jest/globals';
import { type CreatorId, derivedId, newEventId, SECOND, streamName } from '#kernel';
import { DELIVERY_STATUSES } from '#webhooks';
import { DashboardPage } from '../support/dashboard-page.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });

interface Replay {
  readonly status: string;
  readonly reason: string | null;
  readonly total: number;
  readonly replayed: number;
}

const listening = async () => {
  const agency = await service.agency();
  const page = await DashboardPage.ofOwner(service, agency);
  const receiver = await Receiver.start();
  const { id: endpoint } = await agency.endpoint(receiver.url);
  return { agency, page, receiver, endpoint };
};
const shown = async (page: DashboardPage, endpoint: string) => (await page.get<Replay>(`/replays/${endpoint}`)).body;

test('all that matches is replayed, and nothing else', async () => {
  const { agency, page, receiver, endpoint } = await listening();
  const first = await agency.linked();
  const second = await agency.linked();
  await service.quiet();
  receiver.forget();
  expect((await page.get(`/deliveries/count?endpoint=${endpoint}&creator=${first.id}`)).body).toEqual({
    count: 1,
    is_more: false,
  });
  const asked = await page.post<Replay>('/replays', { endpoint, creator: first.id, status: 'delivered' });
  expect(asked).toMatchObject({ status: 201, body: { status: 'running', total: 1, replayed: 0 } });
  await service.quiet();
  expect(await shown(page, endpoint)).toMatchObject({ status: 'ended', reason: 'completed', replayed: 1 });
  expect(receiver.events.map(({ data }) => data.creator_id)).toEqual([first.id]);
  receiver.forget();
  await page.post('/replays', { endpoint });
  await service.quiet();
  const creators = receiver.events.map(({ data }) => String(data.creator_id));
  expect(creators.toSorted()).toEqual([first.id, second.id].toSorted());
});

/** Delivered before, without having been sent. */
const deliverBefore = async (
  agency: Awaited<ReturnType<typeof listening>>['agency'],
  endpoint: string,
  many: number,
) => {
  const { log } = service.services;
  const [event] = await agency.publishedEvents();
  const [known] = await agency.deliveries();
  if (event === undefined || known === undefined) throw new Error('nothing was published');
  const metadata = {
    at: service.clock.now(),
    correlationId: 'c',
    causationId: null,
    actor: 'test',
    workspaceId: agency.workspaceId,
  };
  for (let n = 0; n < many; n++) {
    const deliveryId = derivedId('webhookDelivery', endpoint, n);
    const about = { deliveryId, endpointId: endpoint, agencyId: agency.id, creatorId: known.creatorId as CreatorId };
    const scheduled = { ...about, eventId: known.eventId, eventType: known.eventType, workspaceId: agency.workspaceId };
    const events = [
      { type: 'webhookDelivery.scheduled.v1', data: { ...scheduled, feedRevision: known.feedRevision } },
      { type: 'webhookDelivery.delivered.v1', data: { endpointId: endpoint, attempt: 1, status: 200, error: null } },
    ].map((each) => ({ id: newEventId(), ...each, metadata }));
    await log.append(streamName('webhookDelivery', deliveryId), 'none', events as never);
  }
  await service.quiet();
};

test('at most 200 of its deliveries are pending, a second one is refused, and its owner may end it', async () => {
  const { agency, page, receiver, endpoint } = await listening();
  await agency.linked();
  await deliverBefore(agency, endpoint, 250);
  receiver.answers(503);
  const asked = await page.post<Replay>('/replays', { endpoint });
  expect(asked.body).toMatchObject({ status: 'running', total: 251 });
  expect((await page.post('/replays', { endpoint })).status).toBe(400);
  await service.quiet();
  await service.pass(2 * SECOND);
  expect(await shown(page, endpoint)).toMatchObject({ status: 'running', replayed: 200 });
  expect(await agency.deliveries('pending')).toHaveLength(200);
  const member = await DashboardPage.ofMember(service, agency.id);
  expect((await member.post(`/replays/${endpoint}/end`)).status).toBe(403);
  const ended = await page.post<Replay>(`/replays/${endpoint}/end`);
  expect(ended).toMatchObject({ status: 200, body: { status: 'ended', reason: 'ended_by_person', replayed: 200 } });
  await service.pass(2 * SECOND);
  expect(await shown(page, endpoint)).toMatchObject({ replayed: 200 });
});

test('it goes on after a restart, and ends when its endpoint is disabled', async () => {
  const { agency, page, receiver, endpoint } = await listening();
  await agency.linked();
  await deliverBefore(agency, endpoint, 250);
  receiver.answers(503);
  await page.post<Replay>('/replays', { endpoint });
  await service.quiet();
  await service.restart();
  receiver.answers(200);
  await service.passUntil(async () => {
    expect(await shown(page, endpoint)).toMatchObject({ status: 'ended', reason: 'completed', replayed: 251 });
  });
  await service.passUntil(async () => expect(await agency.deliveries('pending')).toEqual([]), 60 * SECOND);
  expect(await agency.deliveries(DELIVERY_STATUSES[2])).toHaveLength(251);
  receiver.answers(503);
  await page.post<Replay>('/replays', { endpoint });
  await service.quiet();
  await agency.disable(endpoint);
  await service.pass(2 * SECOND);
  expect(await shown(page, endpoint)).toMatchObject({ status: 'ended', reason: 'endpoint_disabled' });
});

test('nobody replays to the endpoint of another agency', async () => {
  const { endpoint } = await listening();
  const { page: other } = await listening();
  expect((await other.post('/replays', { endpoint })).status).toBe(404);
  expect((await other.get(`/replays/${endpoint}`)).status).toBe(404);
  expect((await other.post(`/replays/${endpoint}/end`)).status).toBe(404);
});
