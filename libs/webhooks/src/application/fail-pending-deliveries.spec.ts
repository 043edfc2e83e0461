import { beforeEach, expect, it } from '@jest/globals';
import { derivedId, LanePositions, SECOND, type WebhookDeliveryId } from '#kernel';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { disabled, enabled, endpointId, order, registered, scheduled } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { FailPendingDeliveries } from './fail-pending-deliveries.js';

const COUNT = 450;
const ids = Array.from({ length: COUNT }, (_, n) => derivedId('webhookDelivery', n));

let service: TestedContext;
let isCaughtUp: boolean;
let batches: number[];
let duringBatch: () => Promise<unknown>;

beforeEach(async () => {
  isCaughtUp = true;
  service = await testedContext([WebhooksModule], [given(LanePositions, readModelsProgress())]);
  service.get(DeliveryList).pending = pending;
  batches = [];
  duringBatch = async () => undefined;
  await endpointDid(registered);
  await endpointDid(disabled);
  for (const deliveryId of ids) {
    const data = { ...order, deliveryId };
    await service.runner.run(webhookDeliveryDecider, deliveryId, contextOf(), () => [
      { ...scheduled, data } as typeof scheduled,
    ]);
  }
});

const endpointDid = (event: WebhookEndpointEvent) =>
  service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);

const errorOf = async (id: WebhookDeliveryId) => {
  const { state } = await service.runner.load(webhookDeliveryDecider, id);
  return state.status === 'failed' ? state.lastError : state.status;
};

const pending = async (_: typeof endpointId, limit: number) => {
  const states = await service.runner.loadAll(webhookDeliveryDecider, ids);
  const found = ids.filter((_, n) => states[n]?.state.status === 'pending').slice(0, limit);
  batches.push(found.length);
  await duringBatch();
  return found;
};
/** The read models' progress, for a wait whose time passes a second with each look. */
const readModelsProgress = () => {
  let elapsed = 0;
  const checkpoint = async (name: string) => ({ name, position: isCaughtUp ? await service.log.head() : 0, fence: 1 });
  return new LanePositions({ checkpoint }, () => {
    elapsed += SECOND;
    return elapsed;
  });
};
const failPending = () => service.commands.execute(new FailPendingDeliveries(endpointId, contextOf()));

it('D82: fails all pending deliveries of a disabled endpoint in batches, and records that once', async () => {
  expect(await failPending()).toBe('done');
  expect(batches).toEqual([200, 200, 50]);
  expect(new Set(await Promise.all(ids.map(errorOf)))).toEqual(new Set(['endpoint_disabled']));
  const { revision } = await service.runner.load(webhookEndpointDecider, endpointId);
  expect(revision).toBe(2);
});

it('waits for read models that are behind, so that it misses no delivery', async () => {
  isCaughtUp = false;
  expect(await failPending()).toEqual({ retryAt: service.clock.now() + SECOND });
  expect(batches).toEqual([]);
});

it('leaves the rest of the deliveries of an endpoint that is enabled while others fail', async () => {
  duringBatch = () => endpointDid(enabled);
  expect(await failPending()).toBe('idle');
  expect(batches).toEqual([200]);
  expect([await errorOf(ids[0] as WebhookDeliveryId), await errorOf(ids[200] as WebhookDeliveryId)]).toEqual([
    'endpoint_disabled',
    'pending',
  ]);
});

it('leaves the deliveries of an endpoint that was enabled again', async () => {
  await endpointDid(enabled);
  expect(await failPending()).toBe('idle');
  expect(await errorOf(ids[0] as WebhookDeliveryId)).toBe('pending');
});
