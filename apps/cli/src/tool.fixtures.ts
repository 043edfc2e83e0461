import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { type Clock, silentLogger, systemClock } from '#kernel';
import { Metrics } from '#observability';
import { checkKeys } from '../../../libs/stores/src/key-check.js';
import type { MasterKeys } from '../../../libs/stores/src/master-keys.js';
import { layered } from '../../../libs/stores/src/stores.js';
import { CliModule } from './stores/with-operator.js';

/** The tool's container on stores in memory; it starts like all processes that serve (D71). */
export const startTool = async (
  base: Parameters<typeof layered>[0],
  keys: MasterKeys,
  clock: Clock = systemClock,
): Promise<INestApplicationContext> => {
  const stores = layered(base, keys, STORED_EVENTS);
  const { log, personalKeys: keyStore } = base;
  await checkKeys({ log, keyStore, sentinel: stores.sentinel, keys, isEmbedded: true }, 'serve');
  const openStores = async () => stores;
  const given = { config: readConfig({}), openStores, clock, logger: silentLogger, metrics: new Metrics() };
  return NestFactory.createApplicationContext(CliModule.forRoot(given), { logger: false, abortOnError: false });
};
