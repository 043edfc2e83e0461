import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '#configuration';
import { EVENT_FEED, type EventPublished } from '#event-feed';
import { agencyId, type RecordedEvent, streamName } from '#kernel';
import { DeliveryList, type DeliveryStatus } from '#webhooks';
import { failScans } from '../support/failed-scans.js';
import { openService, type Services } from '../support/open-service.js';
import type { AppProcess } from './support/processes.js';
import { AGENCY } from './support/stage.js';
import { until } from './support/until.js';
import { FailingScansStage } from './webhooks/failing-scans-stage.js';
import { hashOf } from './webhooks/hook-receiver.js';

const EVENTS = Number(process.env.CRASH_EVENTS ?? 3_000);
const KILLS = 4;
const DOWN = 400;
const TIMEOUT = 120_000;

// Without the bus, which has its handlers only after the start: the service in this process is not started.
const deliveryListOf = ({ app }: Services) => app.get(DeliveryList, { strict: false });
const deliveriesOf = (services: Services, status: DeliveryStatus, limit: number) =>
  deliveryListOf(services).newest([{ index: 'agency', equals: [agencyId(AGENCY), status] }], undefined, limit);

describe('webhooks while thousands of events flow', () => {
  let hooks: FailingScansStage;
  let services: Services;
  let worker: AppProcess;

  beforeAll(async () => {
    // Twelve seconds of retries: every fault of this test is over by then.
    hooks = await FailingScansStage.open({ WEBHOOK_BACKOFF: '500ms,1s,3s,8s' });
    services = hooks.opened.services;
  }, 60_000);
  afterAll(() => hooks.close());

  /** Maps the id of each published `scan.failed` event to the hash of its bytes. */
  const published = async (): Promise<ReadonlyMap<string, string>> => {
    const events = (await services.log.readStream(
      streamName(EVENT_FEED, hooks.about.workspaceId),
    )) as RecordedEvent<EventPublished>[];
    const failures = events.filter(({ data }) => data.eventType === 'scan.failed');
    return new Map(failures.map(({ data }) => [data.eventId, hashOf(data.personal.bytes)]));
  };

  const allDelivered = async (): Promise<boolean> => {
    if (hooks.receiver.kept.size < EVENTS) return false;
    return (await deliveriesOf(services, 'pending', 1)).length === 0;
  };

  test('every event arrives, signed, with the bytes of the feed, though worker and receiver are killed', async () => {
    worker = await hooks.startWorker();
    const { receiver, about } = hooks;
    const flowing = failScans(services, about, EVENTS);
    const receiverDies = async () => {
      await until('a fifth has come', async () => receiver.kept.size > EVENTS / 5, TIMEOUT);
      await receiver.kill();
      await delay(DOWN);
      await receiver.start();
    };
    const workerDies = async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        const enough = (kill * EVENTS) / (KILLS + 2);
        await until(`${enough} have come`, async () => receiver.kept.size > enough, TIMEOUT);
        await worker.kill();
        worker = await hooks.startWorker();
      }
    };
    const began = performance.now();
    await Promise.all([flowing, receiverDies(), workerDies()]);
    await until('all have come', allDelivered, TIMEOUT);
    const repeats = receiver.requests - receiver.kept.size;
    process.stdout.write(`${EVENTS} events in ${Math.round(performance.now() - began)} ms, ${repeats} repeats\n`);

    expect(receiver.faults).toEqual([]);
    const feed = await published();
    expect(feed.size).toBe(EVENTS);
    expect([...feed].filter(([id, bytes]) => receiver.kept.get(id)?.bytes !== bytes)).toEqual([]);
    expect([...receiver.kept.keys()].filter((id) => !feed.has(id))).toEqual([]);
    const failed = await deliveriesOf(services, 'failed', 10);
    expect(failed).toEqual([]);
  }, 180_000);

  test('nothing is sent when the documents are lost and history is read again', async () => {
    const { stage, receiver } = hooks;
    const before = receiver.requests;
    await worker.kill();
    for (const end of ['', '-wal', '-shm']) await rm(join(stage.dataDir, `documents.db${end}`), { force: true });
    worker = await hooks.startWorker();
    const again = await openService(readConfig(stage.environment));
    try {
      await until(
        'all that was delivered is shown again',
        async () => (await deliveriesOf(again.services, 'delivered', EVENTS)).length === EVENTS,
        TIMEOUT,
      );
      await stage.runTool('webhooks', 'deliveries', '--agency', AGENCY, '--limit', '1');
      expect(await deliveriesOf(again.services, 'pending', EVENTS)).toEqual([]);
    } finally {
      await again.close();
    }
    expect(receiver.requests).toBe(before);
  }, 180_000);
});
