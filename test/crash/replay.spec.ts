import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RecordedEvent, WORKER_LEASE } from '#kernel';
import type { WebhookDeliveryEvent, WebhookReplayEvent } from '#webhooks';
import { failScans } from '../support/failed-scans.js';
import type { AppProcess } from './support/processes.js';
import { Random } from './support/random.js';
import { until } from './support/until.js';
import { FailingScansStage } from './webhooks/failing-scans-stage.js';

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const EVENTS = 450;
const KILLS = 3;
/** The limits for one replay, and for all requests to an endpoint. */
const MOST_PENDING = 200;
const MOST_CONCURRENT = 64;
const TYPES = new Set([
  'webhookDelivery.scheduled.v1',
  'webhookDelivery.attemptFailed.v1',
  'webhookDelivery.delivered.v1',
  'webhookDelivery.exhausted.v1',
  'webhookDelivery.replayRequested.v1',
  'webhookReplay.requested.v1',
  'webhookReplay.advanced.v1',
  'webhookReplay.ended.v1',
]);

type Recorded = RecordedEvent<WebhookDeliveryEvent | WebhookReplayEvent>;
const REPLAYED = 'webhookDelivery.replayRequested.v1';
const DELIVERED = 'webhookDelivery.delivered.v1';

describe('a replay of all that matches, while the worker is killed', () => {
  const random = new Random(SEED);
  let hooks: FailingScansStage;
  let worker: AppProcess;
  /** The events of deliveries and replays, in log order. */
  const recorded: Recorded[] = [];
  let reached = 0;

  beforeAll(async () => {
    hooks = await FailingScansStage.open();
  }, 60_000);
  afterAll(() => hooks.close());

  const read = async (): Promise<readonly Recorded[]> => {
    for (;;) {
      const page = await hooks.opened.services.log.readLog({ after: reached, limit: 1_000, types: TYPES });
      recorded.push(...(page.events as readonly Recorded[]));
      reached = page.reached;
      if (page.atEnd) return recorded;
    }
  };
  const count = (type: string) => recorded.filter((event) => event.type === type).length;
  const isOver = () => count('webhookReplay.ended.v1') > 0;

  /** Waits until some but not all deliveries of a page have been replayed, or the replay is over. */
  const inTheMiddleOfAPage = async (): Promise<void> => {
    const enough = random.between(1, MOST_PENDING / 2);
    for (;;) {
      await read();
      const inPages = recorded.reduce(
        (sum, { type, data }) => sum + (type === 'webhookReplay.advanced.v1' && 'replayed' in data ? data.replayed : 0),
        0,
      );
      if (isOver() || count(REPLAYED) > inPages + enough) return;
      await delay(1);
    }
  };

  test('each delivery is replayed once, at most 200 are pending, and a new event waits for no more', async () => {
    const { stage, receiver, opened, about, endpointId } = hooks;
    const term = async () => (await opened.services.documents.lease(WORKER_LEASE))?.fence;
    worker = await hooks.startWorker();
    await until('it leads', async () => (await term()) !== undefined);
    const first = await term();
    await failScans(opened.services, about, EVENTS);
    await until('all have come', async () => (await read()).length > 0 && count(DELIVERED) === EVENTS, 60_000);
    const early = receiver.requests - EVENTS;
    // On a crowded machine the worker may lose its lease and lead again.
    if ((await term()) === first) expect(early).toBe(0);

    await stage.runTool('webhooks', 'replay-all', endpointId, '--type', 'scan.failed');
    let kills = 0;
    for (; kills < KILLS && !isOver(); kills++) {
      await inTheMiddleOfAPage();
      if (kills === 1) await failScans(opened.services, about, 1, EVENTS);
      await worker.kill();
      worker = await hooks.startWorker();
    }
    await until('all was replayed', async () => (await read()).length > 0 && isOver(), 60_000);
    const all = 2 * EVENTS + 1;
    await until('all have come again', async () => (await read()).length > 0 && count(DELIVERED) === all, 60_000);
    const repeats = receiver.requests - all - early;
    process.stdout.write(`CRASH_SEED=${SEED}: ${kills} kills during a replay, ${repeats} sends repeated\n`);

    const progress = ['webhooks', 'replay-progress', endpointId];
    expect(await stage.runTool(...progress)).toMatchObject({ reason: 'completed', total: EVENTS, replayed: EVENTS });
    const past = Map.groupBy(
      recorded.filter(({ type }) => type.startsWith('webhookDelivery.')),
      ({ stream }) => stream,
    );
    const pasts = [...past.values()].map((events) => events.map(({ type }) => type.split('.')[1]).join(', '));
    const once = 'scheduled, delivered, replayRequested, delivered';
    expect(pasts.toSorted()).toEqual(['scheduled, delivered', ...Array.from({ length: EVENTS }, () => once)]);
    // A send is repeated only if a kill has lost its answer.
    expect(receiver.faults).toEqual([]);
    // All but the new one.
    expect([...receiver.kept.values()].filter(({ times }) => times < 2).length).toBeLessThanOrEqual(1);
    expect(repeats).toBeLessThanOrEqual(kills * MOST_CONCURRENT);
    expect(mostPending(recorded)).toBeLessThanOrEqual(MOST_PENDING);
    const fresh = [...past.values()].find((events) => events.length === 2) ?? [];
    const [scheduledAt = 0, deliveredAt = 0] = fresh.map((event) => recorded.indexOf(event));
    const before = recorded.slice(scheduledAt, deliveredAt).filter(({ type }) => type === DELIVERED).length;
    expect(before).toBeLessThanOrEqual(MOST_PENDING + MOST_CONCURRENT);
  }, 120_000);
});

/** How many deliveries of the replay were pending together, by the order of the log. */
const mostPending = (recorded: readonly Recorded[]): number => {
  const pending = new Set<string>();
  let most = 0;
  for (const { type, stream } of recorded) {
    if (type === REPLAYED) pending.add(stream);
    if (type === DELIVERED) pending.delete(stream);
    most = Math.max(most, pending.size);
  }
  return most;
};
