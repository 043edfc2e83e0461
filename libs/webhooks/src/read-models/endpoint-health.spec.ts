import { beforeEach, expect, it } from '@jest/globals';
import { DAY, HOUR, streamName } from '#kernel';
import { FakeClock } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.js';
import { endpointId, order, scheduled } from '../webhook.fixtures.js';
import {
  type EndpointHealthDocument,
  endpointHealthProjection,
  ShowEndpoints,
  ShowEndpointsHandler,
} from './endpoint-health.js';
import type { ListedEndpoint } from './endpoint-list.js';

const NOW = 100 * DAY;

let projecting: Projecting<EndpointHealthDocument, WebhookDeliveryEvent>;
beforeEach(() => {
  projecting = new Projecting(endpointHealthProjection);
});

const record = (event: WebhookDeliveryEvent, at: number) =>
  projecting.record(streamName('webhookDelivery', order.deliveryId), event, at);
const failed = { endpointId, attempt: 1, status: 500, error: 'refused' };
const schedule = (at = NOW) => record(scheduled, at);
const fail = (at: number, ms?: number) =>
  record(
    {
      type: 'webhookDelivery.attemptFailed.v1',
      data: { ...failed, nextAttemptAt: at, ...(ms !== undefined && { sentAt: at - ms, ms }) },
    },
    at,
  );
const deliver = (at: number, ms: number) =>
  record(
    { type: 'webhookDelivery.delivered.v1', data: { ...failed, status: 200, error: null, sentAt: at - ms, ms } },
    at,
  );
const health = async (now = NOW) => {
  const handler = new ShowEndpointsHandler(projecting.readModel, new FakeClock(now));
  const [shown] = await handler.execute(new ShowEndpoints([{ id: endpointId } as ListedEndpoint]));
  return shown?.health;
};

it('has no figures of an endpoint before its first attempt', async () => {
  await schedule();
  expect(await health()).toEqual({ pending: 1, successRate: null, latency: null, lastFailureAt: null, days: [] });
});

it('counts what is pending: from its schedule to its outcome, and again after a replay', async () => {
  await schedule();
  await schedule();
  await fail(NOW);
  expect(await health()).toMatchObject({ pending: 2 });
  await deliver(NOW, 10);
  expect(await health()).toMatchObject({ pending: 1 });
  await record({ type: 'webhookDelivery.replayRequested.v1', data: { endpointId } }, NOW);
  expect(await health()).toMatchObject({ pending: 2 });
  await record({ type: 'webhookDelivery.exhausted.v1', data: failed }, NOW);
  await record({ type: 'webhookDelivery.revoked.v1', data: { endpointId, reason: 'erased' } }, NOW);
  expect(await health()).toMatchObject({ pending: 0 });
});

it('has the part of the attempts that delivered, and the mean duration of those that have one', async () => {
  await fail(NOW - 3 * HOUR);
  await fail(NOW - 2 * HOUR, 100);
  await deliver(NOW - HOUR, 20);
  await deliver(NOW - HOUR + 1, 30);
  expect(await health()).toMatchObject({ successRate: 0.5, latency: 50, lastFailureAt: NOW - 2 * HOUR });
});

it('has the attempts of each day in UTC', async () => {
  await fail(NOW - 2 * HOUR, 100);
  await deliver(NOW - HOUR, 20);
  await deliver(NOW, 30);
  expect((await health())?.days).toEqual([
    { day: NOW - DAY, delivered: 1, failed: 1, latency: 60 },
    { day: NOW, delivered: 1, failed: 0, latency: 30 },
  ]);
});

it('forgets attempts after seven days, but not when it last failed', async () => {
  await fail(NOW - 8 * DAY, 100);
  expect(await health()).toMatchObject({ successRate: null, latency: null, lastFailureAt: NOW - 8 * DAY });
  await deliver(NOW, 20);
  expect(await health()).toMatchObject({ successRate: 1, latency: 20 });
  expect((await projecting.get(endpointId))?.hours).toHaveLength(1);
  expect(await health(NOW + 8 * DAY)).toMatchObject({ successRate: null });
});

it('counts an attempt of a clock that was set back in the latest hour', async () => {
  await deliver(NOW, 20);
  await fail(NOW - 2 * HOUR);
  expect((await projecting.get(endpointId))?.hours).toMatchObject([{ hour: NOW, delivered: 1, failed: 1 }]);
});
