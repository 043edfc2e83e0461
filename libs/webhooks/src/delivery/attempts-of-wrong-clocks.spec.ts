import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TaskQueue } from '#jobs';
import { ClockWatch, DAY, type Duration, HOUR, MINUTE, SECOND, silentLogger } from '#kernel';
import { FakeClock } from '#testing';
import { linked, mia } from '../../../creators/src/domain/creator.fixtures.js';
import { eventIdAt, publishAt } from '../../../event-feed/src/domain/event-feed.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, testedContext } from '../../../testing/src/tested-context.js';
import { SecretCipher } from '../application/secret-cipher.js';
import { WebhookSender } from '../application/signed-sending.js';
import {
  longestRetryWait,
  MAX_ATTEMPTS,
  type WebhookDeliveryEvent,
  webhookDeliveryDecider,
} from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { endpointId, order, registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { DeliveryTasks } from './delivery-tasks.js';
import { WebhooksOptions } from './webhook-attempts.js';

const START = new FakeClock().now();
const BACKOFF = [MINUTE, 8 * MINUTE];
const STEP = SECOND;
/** A time that a wrong clock has set is checked once in the longest wait, so that it costs at most one more. */
const LONGEST = 2 * longestRetryWait(BACKOFF);
const MOST_STEPS = (MAX_ATTEMPTS * LONGEST) / STEP;

/** One delivery whose attempts all fail, and a leader whose clock may be wrong. Returns the waits between the attempts. */
const waitsBetweenAttempts = async (
  wrong: Duration,
  jumping: readonly { readonly step: number; readonly by: Duration }[],
): Promise<Duration[]> => {
  const clock = new FakeClock(START + wrong);
  const sentAfter: Duration[] = [];
  let passed: Duration = 0;
  const sender: WebhookSender = {
    send: async () => {
      sentAfter.push(passed);
      return { status: 500, error: 'refused' };
    },
    problem: async () => undefined,
    close: async () => undefined,
  };
  const replaced = [given(WebhookSender, sender), given(WebhooksOptions, { backoff: BACKOFF })];
  const context = await testedContext([WebhooksModule], replaced, { clock });
  const { get, log, runner } = context;
  await context.creatorDid(mia, ...linked);
  await publishAt(log, 0);
  const watch = get(ClockWatch);
  await watch.check();
  const encryptedSecret = get(SecretCipher).encrypt(registration, 'whsec_1');
  const registered: WebhookEndpointEvent = {
    type: 'webhookEndpoint.registered.v2',
    data: { ...registration, encryptedSecret },
  };
  const scheduled: WebhookDeliveryEvent = {
    type: 'webhookDelivery.scheduled.v1',
    data: { ...order, eventId: eventIdAt(0), feedRevision: 0 },
  };
  await runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [registered]);
  await runner.run(webhookDeliveryDecider, order.deliveryId, contextOf(), () => [scheduled]);
  const views = { head: async () => 0, reached: async () => 0 };
  const queue = new TaskQueue([get(DeliveryTasks)], views, clock, silentLogger);
  for (let n = 0; n < MOST_STEPS && sentAfter.length < MAX_ATTEMPTS; n++) {
    for (const { step, by } of jumping) if (step === n) clock.jump(by);
    await watch.check();
    await context.project();
    await queue.runDue(clock.now());
    passed += STEP;
    clock.advance(STEP);
  }
  return sentAfter.slice(1).map((at, n) => at - (sentAfter[n] ?? 0));
};

const wrongBy = fc.constantFrom(
  -300 * DAY,
  -HOUR,
  -11 * MINUTE,
  -30 * SECOND,
  0,
  30 * SECOND,
  11 * MINUTE,
  HOUR,
  300 * DAY,
);
const jumps = fc.array(fc.record({ step: fc.nat(1_500), by: wrongBy }), { maxLength: 4 });
/** The deviation that a check and a step add. */
const [MAX_EARLY, MAX_LATE] = [2 * SECOND, 5 * SECOND];

it('D93: with a clock that is wrong and jumps, no retry is early, and none is later than twice the longest wait', () =>
  fc.assert(
    fc.asyncProperty(wrongBy, jumps, async (wrong, jumping) => {
      const waits = await waitsBetweenAttempts(wrong, jumping);
      expect(waits).toHaveLength(MAX_ATTEMPTS - 1);
      for (const [n, wait] of waits.entries()) {
        const planned = BACKOFF[n] ?? 8 * MINUTE;
        expect(wait).toBeGreaterThanOrEqual(0.8 * planned - MAX_EARLY);
        expect(wait).toBeLessThanOrEqual(LONGEST + MAX_LATE);
      }
    }),
    { numRuns: 8, examples: [[-300 * DAY, [{ step: 0, by: -HOUR }]]] },
  ));
