import { expect, it } from '@jest/globals';
import { eventually, FakeClock, Gate, InMemoryDocumentStore, settled } from '#testing';
import type { DeliveryTask } from '../read-models/delivery-list.js';
import { endpointId, order } from '../webhook.fixtures.js';
import { adjustLimit, DeliveryTasks, FULL_PACE, type Pace } from './delivery-tasks.js';
import type { SentAttempt, WebhookAttempts } from './webhook-attempts.js';

/** After this many outcomes of the same kind. */
const after = (count: number, isDelivered: boolean, from: Pace = FULL_PACE): Pace =>
  Array.from({ length: count }).reduce<Pace>((pace) => adjustLimit(pace, isDelivered), from);

it('D63: each consecutive failure halves the concurrency limit, down to one at a time with a pause of at most 100 ms', () => {
  const paces = [1, 2, 3, 4, 5, 6].map((count) => after(count, false));
  expect(paces.map(({ concurrencyLimit }) => concurrencyLimit)).toEqual([32, 16, 8, 4, 2, 1]);
  expect(paces[4]?.pause).toBe(0);
  expect(paces[5]?.pause).toBeGreaterThan(0);
  expect(after(40, false)).toMatchObject({ concurrencyLimit: 1, pause: 100 });
});

it('a success ends the pause, and each one adds one to the concurrency limit, up to the initial one', () => {
  const slow = after(40, false);
  expect(after(1, true, slow)).toEqual({ concurrencyLimit: 2, pause: 0, failures: 0 });
  expect(after(99, true, slow)).toBe(FULL_PACE);
  expect(after(1, true)).toBe(FULL_PACE);
});

it('D82: a failure is recorded after the successes of its endpoint that were answered before it', async () => {
  const recorded: string[] = [];
  const slow = new Gate();
  const sent = (name: string, isDelivered: boolean, opened?: Promise<void>): SentAttempt => ({
    isDelivered,
    record: async () => {
      await opened;
      recorded.push(name);
    },
  });
  const answers = [sent('slow success', true, slow.opened), sent('success', true), sent('failure', false)];
  const attempts = { attempt: async () => answers.splice(0, 1).map((answer) => Promise.resolve(answer)) };
  const tasks = new DeliveryTasks(
    new InMemoryDocumentStore(),
    { of: async () => 'deliveries' },
    { backoff: [] },
    attempts as unknown as WebhookAttempts,
    new FakeClock(),
  );
  const task: DeliveryTask = { id: order.deliveryId, lane: endpointId, readyAt: 0, failures: 0, tries: 0 };
  const place = { free: () => undefined, pauseLane: () => undefined };
  const all = [1, 2, 3].flatMap(() => tasks.start([task], [place]));
  await eventually(() => recorded.length > 0);
  await settled();
  expect(recorded).toEqual(['success']);
  slow.open();
  await Promise.all(all);
  expect(recorded).toEqual(['success', 'slow success', 'failure']);
});
