import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { ALL_PROJECTIONS } from '#contexts';
import { type DocumentStore, StoreUnavailable } from '#kernel';
import { laneOfReadModels, READ_MODELS, ReadModelTools, Rebuild } from '#projections';
import { eventually, InMemoryDocumentStore, InMemoryEventLog, InMemoryKeyStore, KeysInMemory } from '#testing';
import { MasterKeys } from '../../../libs/stores/src/master-keys.js';
import { startTool } from './tool.fixtures.js';

const unavailable = () => Promise.reject(new StoreUnavailable('it did not answer a request in time'));

let app: INestApplicationContext;

/** From the start on, the store is too slow for what requests write, and answers work that waits longer. */
beforeEach(async () => {
  const backgroundDocuments = new InMemoryDocumentStore();
  const documents: DocumentStore = Object.create(backgroundDocuments);
  const [log, keyStore] = [new InMemoryEventLog(), new InMemoryKeyStore(new KeysInMemory())];
  const masterKeys = new MasterKeys(Buffer.alloc(32, 1));
  app = await startTool({ log, documents, backgroundDocuments, personalKeys: keyStore }, masterKeys);
  Object.assign(documents, { write: unavailable, ensure: unavailable });
});
afterEach(() => app.close());

describe('while the document store is too slow for requests', () => {
  it('read models are rebuilt, and switched to by a leader', async () => {
    const checkpoint = { name: laneOfReadModels(READ_MODELS), position: 0, fence: 1 };
    const [tools, rebuild] = [app.get(ReadModelTools), app.get(Rebuild, { strict: false })];
    for (let times = 0; times < 2; times++) {
      const rebuilt = tools.rebuild(['cases'], () => undefined);
      await eventually(async () => (await rebuild.finish(ALL_PROJECTIONS, checkpoint)).length > 0);
      expect((await rebuilt).names).toEqual(['cases']);
    }
  });
});
