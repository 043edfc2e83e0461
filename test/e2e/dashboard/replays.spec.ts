import { expect, test } from '@jest/globals';
import { DAY, derivedId, newEventId, SECOND, streamName, type WebhookDeliveryId } from '#kernel';
import { DashboardPage } from '../support/dashboard-page.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: 'sandbox' });

const MOST_PENDING = 200;

interface Replay {
  readonly id: string;
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
const listed = async (page: DashboardPage) => (await page.get<{ data: readonly Replay[] }>('/replays')).body.data;
const shown = async (page: DashboardPage, endpoint: string) => (await listed(page)).find(({ id }) => id === endpoint);

test('a replay without an endpoint is refused, and names what is missing', async () => {
  const { page } = await listening();
  for (const body of [{}, { status: 'failed' }]) {
    const refused = { code: 'invalid_request', details: [{ field: 'endpoint', message: 'is required' }] };
    expect(await page.post('/replays', body)).toMatchObject({ status: 400, body: { error: refused } });
  }
});

test('all that matches is replayed, and nothing else', async () => {
  const { agency, page, receiver, endpoint } = await listening();
  const first = await agency.linked();
  const second = await agency.linked();
  await service.quiet();
  receiver.forget();
  expect((await page.get(`/deliveries/count?endpoint=${endpoint}&creator=${first.id}`)).body).toEqual({
    count: 1,
    delivered: 1,
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
  const undelivered = await page.post<Replay>('/replays', { endpoint, tab: 'undelivered' });
  expect(undelivered.body).toMatchObject({ total: 0 });
});

/** As many deliveries as a replay may have pending together, none of them due for a day. */
const fillUp = async (agency: Awaited<ReturnType<typeof listening>>['agency'], endpointId: string) => {
  const [known] = await agency.deliveries();
  if (known === undefined) throw new Error('nothing was delivered');
  const { creatorId, eventId, eventType, feedRevision } = known;
  const { id: agencyId, workspaceId } = agency;
  const metadata = { at: service.clock.now(), correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  const append = (deliveryId: WebhookDeliveryId, ...events: readonly (readonly [string, object])[]) => {
    const recorded = events.map(([type, data]) => ({ id: newEventId(), type, data, metadata }) as never);
    return service.services.log.append(streamName('webhookDelivery', deliveryId), 'any', recorded);
  };
  const ids = Array.from({ length: MOST_PENDING }, (_, n) => derivedId('webhookDelivery', endpointId, n));
  const schedule = (deliveryId: WebhookDeliveryId, n: number) => {
    const revision = feedRevision + 1 + n;
    const order = {
      deliveryId,
      endpointId,
      agencyId,
      creatorId,
      eventId,
      eventType,
      workspaceId,
      feedRevision: revision,
    };
    return append(deliveryId, ['webhookDelivery.scheduled.v1', order]);
  };
  const failed = { endpointId, attempt: 1, status: 503, error: 'refused', nextAttemptAt: metadata.at + DAY };
  await Promise.all(ids.map(schedule));
  return {
    /** All of them are pending because of the endpoint's replay of that number. */
    replayedBy: async (replay: number) => {
      const events = [
        ['webhookDelivery.replayRequested.v1', { endpointId, replay }],
        ['webhookDelivery.attemptFailed.v1', failed],
      ] as const;
      await Promise.all(ids.map((id) => append(id, ...events)));
      await service.quiet();
    },
    settleOne: () =>
      append(ids[0] ?? derivedId('webhookDelivery'), ['webhookDelivery.revoked.v1', { endpointId, reason: 'erased' }]),
  };
};

test('it waits while 200 that it has replayed are pending, and goes on after a restart; there is one at a time, which its owner may end', async () => {
  const { agency, page, receiver, endpoint } = await listening();
  await agency.linked();
  await service.quiet();
  const { replayedBy, settleOne } = await fillUp(agency, endpoint);
  await replayedBy(1);
  receiver.forget();
  const request = { endpoint, status: 'delivered' };
  const asked = await page.post<Replay>('/replays', request);
  expect(asked.body).toMatchObject({ status: 'running', total: 1 });
  expect((await page.post('/replays', request)).status).toBe(400);
  const member = await DashboardPage.ofMember(service, agency);
  expect((await member.post(`/replays/${endpoint}/end`)).status).toBe(403);
  const ended = await page.post<Replay>(`/replays/${endpoint}/end`);
  expect(ended).toMatchObject({ status: 200, body: { status: 'ended', reason: 'ended_by_person', replayed: 0 } });

  await replayedBy(2);
  await page.post<Replay>('/replays', request);
  await service.restart();
  await service.pass(2 * SECOND);
  expect(await shown(page, endpoint)).toMatchObject({ status: 'running', replayed: 0 });
  expect(receiver.events).toEqual([]);
  await settleOne();
  await service.passUntil(async () => {
    expect(await shown(page, endpoint)).toMatchObject({ status: 'ended', reason: 'completed', replayed: 1 });
  });
  await service.quiet();
  expect(receiver.events).toHaveLength(1);
});

test('nobody replays to the endpoint of another agency', async () => {
  const { endpoint, page } = await listening();
  const { page: other } = await listening();
  await page.post('/replays', { endpoint });
  expect((await other.post('/replays', { endpoint })).status).toBe(404);
  expect(await listed(other)).toEqual([]);
  expect(await listed(page)).toHaveLength(1);
  expect((await other.post(`/replays/${endpoint}/end`)).status).toBe(404);
});
