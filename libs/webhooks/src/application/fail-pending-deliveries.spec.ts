import { beforeEach, expect, it } from '@jest/globals';
import { CommandRunner, derivedId, Progress, SECOND, type WebhookDeliveryId } from '#kernel';
import { FakeClock, InMemoryEventLog } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { contextOf } from '../../../testing/src/tested-context.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { DeliveryList, deliveryListProjection } from '../read-models/delivery-list.js';
import { endpointId, order, registered, scheduled } from '../webhook.fixtures.js';
import { FailPendingDeliveries, FailPendingDeliveriesHandler } from './fail-pending-deliveries.js';
import { WebhookDeliveryRepository } from './webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

const disabled: WebhookEndpointEvent = {
  type: 'webhookEndpoint.disabled.v1',
  data: { endpointId, reason: 'failing', failingSince: 0 },
};
const COUNT = 450;
const ids = Array.from({ length: COUNT }, (_, n) => derivedId('webhookDelivery', n));

let log: InMemoryEventLog;
let runner: CommandRunner;
let isCaughtUp: boolean;
let batches: number[];
let duringBatch: () => Promise<unknown>;
const clock = new FakeClock(1_000);

beforeEach(async () => {
  log = new InMemoryEventLog();
  runner = new CommandRunner(log, clock);
  isCaughtUp = true;
  batches = [];
  duringBatch = async () => undefined;
  await endpointDid(registered);
  await endpointDid(disabled);
  for (const deliveryId of ids) {
    const data = { ...order, deliveryId };
    await runner.run(webhookDeliveryDecider, deliveryId, contextOf(), () => [
      { ...scheduled, data } as typeof scheduled,
    ]);
  }
});

const endpointDid = (event: WebhookEndpointEvent) =>
  runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);

const errorOf = async (id: WebhookDeliveryId) => {
  const { state } = await runner.load(webhookDeliveryDecider, id);
  return state.status === 'failed' ? state.lastError : state.status;
};

const pending = async (_: typeof endpointId, limit: number) => {
  const states = await runner.loadAll(webhookDeliveryDecider, ids);
  const found = ids.filter((_, n) => states[n]?.state.status === 'pending').slice(0, limit);
  batches.push(found.length);
  await duringBatch();
  return found;
};
/** The read models' progress, for a wait whose time passes a second with each look. */
const readModelsProgress = () => {
  let elapsed = 0;
  const checkpoint = async (name: string) => ({ name, position: isCaughtUp ? await log.head() : 0, fence: 1 });
  return new Progress({ checkpoint }, () => {
    elapsed += SECOND;
    return elapsed;
  });
};
const failPending = () => {
  const backlog = new DeliveryList(new Projecting(deliveryListProjection).readModel);
  backlog.pending = pending;
  const handler = new FailPendingDeliveriesHandler(
    new WebhookEndpointRepository(runner),
    new WebhookDeliveryRepository(runner),
    backlog,
    log,
    readModelsProgress(),
    clock,
  );
  return handler.execute(new FailPendingDeliveries(endpointId, contextOf()));
};

it('D82: fails all pending deliveries of a disabled endpoint in batches, and records that once', async () => {
  expect(await failPending()).toBe('done');
  expect(batches).toEqual([200, 200, 50]);
  expect(new Set(await Promise.all(ids.map(errorOf)))).toEqual(new Set(['endpoint_disabled']));
  const { revision } = await runner.load(webhookEndpointDecider, endpointId);
  expect(revision).toBe(2);
});

it('waits for read models that are behind, so that it misses no delivery', async () => {
  isCaughtUp = false;
  expect(await failPending()).toEqual({ retryAt: clock.now() + SECOND });
  expect(batches).toEqual([]);
});

it('leaves the rest of the deliveries of an endpoint that is enabled while others fail', async () => {
  duringBatch = () => endpointDid({ type: 'webhookEndpoint.enabled.v1', data: { endpointId } });
  expect(await failPending()).toBe('idle');
  expect(batches).toEqual([200]);
  expect([await errorOf(ids[0] as WebhookDeliveryId), await errorOf(ids[200] as WebhookDeliveryId)]).toEqual([
    'endpoint_disabled',
    'pending',
  ]);
});

it('leaves the deliveries of an endpoint that was enabled again', async () => {
  await endpointDid({ type: 'webhookEndpoint.enabled.v1', data: { endpointId } });
  expect(await failPending()).toBe('idle');
  expect(await errorOf(ids[0] as WebhookDeliveryId)).toBe('pending');
});
