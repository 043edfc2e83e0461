import { afterEach, expect, it, jest } from '@jest/globals';
import { HOUR, NEVER, SECOND } from '#kernel';
import type { FakeClock } from '#testing';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, testedContext } from '../../../testing/src/tested-context.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import { DeliveryList, type WaitingEndpoint } from '../read-models/delivery-list.js';
import { order, scheduled } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { WebhookAttempts } from './webhook-attempts.js';
import { WebhookDispatch } from './webhook-dispatch.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it.each([
  ['the clocks agree', 4 * SECOND, () => undefined, []],
  ['a clock was set', 4 * SECOND, (clock: FakeClock) => clock.jump(-HOUR), [true]],
  ['no wait is that long', 6 * SECOND, () => undefined, [true]],
])('D93: what is due later is attempted or not, if %s', async (_, dueIn, before, expected) => {
  const { clock, get } = await testedContext([WebhooksModule], [given(WebhooksOptions, { backoff: [2 * SECOND] })]);
  const waiting: WaitingEndpoint[] = [];
  const all: unknown[] = [];
  Object.assign(get(DeliveryList), {
    waiting: async () => waiting,
    due: async (_endpoint: string, until: number) => {
      all.push(until === NEVER - 1);
      return [];
    },
  } satisfies Partial<DeliveryList>);
  before(clock);
  waiting.push({ endpointId: order.endpointId, dueAt: clock.now() + dueIn });
  await get(WebhookDispatch).runDue();
  await get(WebhookDispatch).runDue();
  expect(all).toEqual(expected);
});

it('an endpoint whose deliveries are all deferred is not tried for a while', async () => {
  const service = await testedContext([WebhooksModule]);
  const { get, runner } = service;
  await runner.run(webhookDeliveryDecider, order.deliveryId, contextOf(), () => [scheduled]);
  await service.project();
  let attempts = 0;
  get(WebhookAttempts).attempt = async () => {
    attempts++;
    throw new Error('encrypted with another master key');
  };
  // All looks are within the while, however long a crowded machine takes for them.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let look = 0; look < 20; look++) await get(WebhookDispatch).runDue();
  expect(attempts).toBe(1);
});
