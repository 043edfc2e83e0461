import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CaseEvent } from '#cases';
import {
  derivedId,
  type EventToAppend,
  newEventId,
  ReadModelComparison,
  Rebuild,
  StoreUnavailable,
  systemClock,
} from '#kernel';
import { ALL_PROJECTIONS, READ_MODELS, readModelCollections } from '#read-models';
import { openStores, type Stores } from './stores.js';

const EVENTS = 24_000;
const EACH = 500;

const metadata = { at: 1, correlationId: 'r', causationId: null, actor: 'test', workspaceId: null };
const dataDir = mkdtempSync(join(tmpdir(), 'lanes-'));
let stores: Stores;

/** Personal data is sealed by a key that only the stores know: a thread has to open it too. */
const opened = (n: number): CaseEvent => ({
  type: 'case.opened.v1',
  data: {
    caseId: derivedId('case', n),
    creatorId: derivedId('creator', n % 40),
    workspaceId: derivedId('workspace', 'one'),
    leakId: `leak-${n}`,
    scanId: null,
    status: 'Detected',
    statusCode: 'detected',
    actionable: true,
    deadOnArrival: false,
    createdAt: 1,
    updatedAt: 1,
    personal: { url: `https://forum.example/${n}` },
  },
});

beforeAll(async () => {
  stores = await openStores({ dataDir, masterKey: undefined, eventStoreDbUrl: undefined, mongoDbUrl: undefined });
  const { log, documents } = stores;
  await documents.ensure(await readModelCollections(documents));
  for (let n = 0; n < EVENTS; n += EACH) {
    const events = Array.from({ length: EACH }, (_, one): EventToAppend => {
      return { id: newEventId(), ...opened(n + one), metadata };
    });
    await log.append(`case-${n}`, 'none', events);
  }
}, 60_000);

afterAll(async () => {
  await stores.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const rebuild = (fillLane = stores.fillLane) =>
  new Rebuild(READ_MODELS, stores.log, stores.documents, systemClock, fillLane);

describe('read models that are made anew in threads', () => {
  test('are what one thread makes of the log', async () => {
    let events = 0;
    await rebuild().run(ALL_PROJECTIONS, {
      onProgress: (progress) => {
        ({ events } = progress);
      },
    });
    expect(events).toBe(EVENTS);
    const { log, documents } = stores;
    const comparison = new ReadModelComparison(READ_MODELS, ALL_PROJECTIONS, log, documents, systemClock);
    const { readModels, differences } = await comparison.run(ALL_PROJECTIONS);
    expect(readModels.find(({ name }) => name === 'cases')?.documents).toBe(EVENTS);
    expect(differences).toEqual([]);
  }, 60_000);

  test('are left as they were when it is broken off', async () => {
    const stop = new AbortController();
    const enough = new Error('enough');
    const run = rebuild((lane, signal, onProgress) => {
      setImmediate(() => stop.abort(enough));
      return stores.fillLane?.(lane, signal, onProgress) ?? Promise.reject(new Error('the stores have no threads'));
    }).run(ALL_PROJECTIONS, { signal: stop.signal });
    await expect(run).rejects.toBe(enough);
  }, 60_000);

  test('and when a thread fails', async () => {
    const run = rebuild((lane, signal, onProgress) => {
      const nowhere = lane.targets.map(({ projection }) => ({ projection, collection: 'nowhere' }));
      return stores.fillLane?.({ ...lane, targets: nowhere }, signal, onProgress) ?? Promise.resolve();
    }).run(ALL_PROJECTIONS);
    await expect(run).rejects.toThrow(StoreUnavailable);
  }, 60_000);
});
