import { expect, it } from '@jest/globals';
import { Leases } from '#jobs';
import { streamName } from '#kernel';
import { FakeClock, InMemoryDocumentStore, RecordingLogger } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { DeliveryList, deliveryListProjection } from '../read-models/delivery-list.js';
import { order, scheduled } from '../webhook.fixtures.js';
import type { WebhookAttempts } from './webhook-attempts.js';
import { WebhookDispatch } from './webhook-dispatch.js';

it('an endpoint whose deliveries are all deferred is not tried, and not leased, for a while', async () => {
  const clock = new FakeClock(0);
  const store = new InMemoryDocumentStore();
  let leased = 0;
  const acquire = store.acquireLease.bind(store);
  store.acquireLease = (...lease) => {
    leased++;
    return acquire(...lease);
  };
  const deliveries = new Projecting(deliveryListProjection);
  await deliveries.record(streamName('webhookDelivery', order.deliveryId), scheduled);
  const backlog = new DeliveryList(deliveries.readModel);
  let attempts = 0;
  const attempt = async () => {
    attempts++;
    throw new Error('encrypted with another master key');
  };
  const leases = new Leases(store, clock, 'here');
  const failing = { attempt } as unknown as WebhookAttempts;
  const dispatch = new WebhookDispatch(backlog, failing, leases, clock, new RecordingLogger());
  for (let look = 0; look < 20; look++) await dispatch.runDue();
  expect(attempts).toBe(1);
  expect(leased).toBe(2);
});
