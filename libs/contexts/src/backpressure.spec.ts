import { beforeEach, expect, it } from '@jest/globals';
import { PUBLISHER } from '#event-feed';
import { BATCH_SIZE, backpressureBehind } from '#jobs';
import { LanePositions, SECOND } from '#kernel';
import { READ_MODELS } from '#projections';
import { InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { METERING } from '#usage';
import { WEBHOOK_SCHEDULING } from '#webhooks';
import { ENROLLMENT_COUNT } from '../../creators/src/processes/enrollment-count.js';
import { CANCEL_AND_RELEASE_SCANS } from '../../scans/src/processes/cancel-and-release-scans.js';
import { SERVING_RUNNERS } from './index.js';

const OTHERS = [READ_MODELS, METERING, CANCEL_AND_RELEASE_SCANS, ENROLLMENT_COUNT, WEBHOOK_SCHEDULING];
const HEAD = 7;
const items = Array.from({ length: 3 * BATCH_SIZE }, (_, n) => n);

class LogAt extends InMemoryEventLog {
  override async head() {
    return HEAD;
  }
}

/** It never goes back: the pace of an earlier test may still be waiting. */
let now = 0;
let progress: LanePositions;
let done: number;
const appendAll = (signal?: AbortSignal) =>
  backpressureBehind(SERVING_RUNNERS, new LogAt(), progress).inBatches('lumen', items, async () => done++, signal);

beforeEach(() => {
  done = 0;
  progress = new LanePositions(new InMemoryDocumentStore(), () => now);
  for (const runner of OTHERS) progress.report(runner, HEAD);
  progress.report(PUBLISHER, HEAD - 1);
});

it('D68, D80: bulk work does not wait for a runner that is behind and has not advanced for a second', async () => {
  expect(await progress.lags([PUBLISHER], HEAD)).toEqual(new Map([[PUBLISHER, 1]]));
  now += SECOND;
  await appendAll();
  expect(done).toBe(items.length);
});

it('bulk work waits for a runner that is behind and may advance', async () => {
  const appended = appendAll();
  await new Promise((turn) => setImmediate(turn));
  expect(done).toBe(BATCH_SIZE);
  progress.report(PUBLISHER, HEAD);
  await appended;
  expect(done).toBe(items.length);
});
