import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { readConfig } from '#configuration';
import { ALL_PROJECTIONS, STORED_EVENTS } from '#contexts';
import { type DocumentStore, StoreUnavailable, silentLogger, systemClock } from '#kernel';
import { Metrics } from '#observability';
import { laneOfReadModels, READ_MODELS, Rebuild, RebuildReadModels } from '#projections';
import { eventually, InMemoryDocumentStore, InMemoryEventLog, InMemoryKeyStore, KeysInMemory } from '#testing';
import { checkKeys } from '../../../libs/stores/src/key-check.js';
import { MasterKeys } from '../../../libs/stores/src/master-keys.js';
import { layered } from '../../../libs/stores/src/stores.js';
import { CliModule } from './stores/cli.module.js';

const unavailable = () => Promise.reject(new StoreUnavailable('it did not answer a request in time'));

let app: INestApplicationContext;

/** From the start on, the store is too slow for what requests write, and answers work that waits longer. */
beforeEach(async () => {
  const backgroundDocuments = new InMemoryDocumentStore();
  const documents: DocumentStore = Object.create(backgroundDocuments);
  const [log, keyStore] = [new InMemoryEventLog(), new InMemoryKeyStore(new KeysInMemory())];
  const masterKeys = new MasterKeys(Buffer.alloc(32, 1));
  const stores = layered({ log, documents, backgroundDocuments, personalKeys: keyStore }, masterKeys, STORED_EVENTS);
  await checkKeys({ log, keyStore, sentinel: stores.sentinel, keys: masterKeys, isEmbedded: true }, 'serve');
  const root = CliModule.forRoot({
    config: readConfig({}),
    openStores: async () => stores,
    clock: systemClock,
    logger: silentLogger,
    metrics: new Metrics(),
  });
  app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  Object.assign(documents, { write: unavailable, ensure: unavailable });
});
afterEach(() => app.close());

describe('while the document store is too slow for requests', () => {
  it('read models are rebuilt, and switched to by a leader', async () => {
    const checkpoint = { name: laneOfReadModels(READ_MODELS), position: 0, fence: 1 };
    const [commands, rebuild] = [app.get(CommandBus), app.get(Rebuild, { strict: false })];
    for (let times = 0; times < 2; times++) {
      const rebuilt = commands.execute(new RebuildReadModels(['cases'], () => undefined));
      await eventually(async () => (await rebuild.finish(ALL_PROJECTIONS, checkpoint)).length > 0);
      expect((await rebuilt).names).toEqual(['cases']);
    }
  });
});
