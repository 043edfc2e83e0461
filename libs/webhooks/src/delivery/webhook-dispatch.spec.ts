import { expect, it } from '@jest/globals';
import { ClockWatch, Leases } from '#jobs';
import { HOUR, NEVER, SECOND, silentLogger, streamName } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { DeliveryList, deliveryListProjection, type WaitingEndpoint } from '../read-models/delivery-list.js';
import { order, scheduled } from '../webhook.fixtures.js';
import type { WebhookAttempts } from './webhook-attempts.js';
import { WebhookDispatch } from './webhook-dispatch.js';

it.each([
  ['the clocks agree', 4 * SECOND, () => undefined, []],
  ['a clock was set', 4 * SECOND, (clock: FakeClock) => clock.jump(-HOUR), [true]],
  ['no wait is that long', 6 * SECOND, () => undefined, [true]],
])('D93: what is due later is attempted or not, if %s', async (_, dueIn, before, expected) => {
  const clock = new FakeClock();
  const store = new InMemoryDocumentStore();
  const watch = new ClockWatch(clock, new InMemoryEventLog(), silentLogger);
  const waiting: WaitingEndpoint[] = [];
  const all: unknown[] = [];
  const backlog = {
    waiting: async () => waiting,
    due: async (_endpoint: string, until: number) => {
      all.push(until === NEVER - 1);
      return [];
    },
  } as unknown as DeliveryList;
  const attempts = {} as unknown as WebhookAttempts;
  const leases = new Leases(store, clock, 'here');
  const dispatch = new WebhookDispatch(
    backlog,
    attempts,
    leases,
    watch,
    { backoff: [2 * SECOND] },
    clock,
    silentLogger,
  );
  before(clock);
  waiting.push({ endpointId: order.endpointId, dueAt: clock.now() + dueIn });
  await dispatch.runDue();
  await dispatch.runDue();
  expect(all).toEqual(expected);
});

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
  const logger = new RecordingLogger();
  const watch = new ClockWatch(clock, new InMemoryEventLog(), logger);
  const options = { backoff: [SECOND] };
  const leases = new Leases(store, clock, 'here');
  const failing = { attempt } as unknown as WebhookAttempts;
  const dispatch = new WebhookDispatch(backlog, failing, leases, watch, options, clock, logger);
  for (let look = 0; look < 20; look++) await dispatch.runDue();
  expect(attempts).toBe(1);
  expect(leased).toBe(2);
});
