import { NestFactory } from '@nestjs/core';
import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { silentLogger, systemClock } from '#kernel';
import { Metrics } from '#observability';
import { type KeyNeed, openStores } from '#stores';
import { type Services, servicesOf } from '../../../service/src/services.js';
import { CliModule } from './cli.module.js';

export type { KeyNeed };

/** Runs the task with the services over the configured stores. */
export const withServices = async (
  environment: NodeJS.ProcessEnv,
  need: KeyNeed,
  task: (services: Services) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const root = CliModule.forRoot({
    config,
    openStores: () => openStores(config, STORED_EVENTS, need),
    clock: systemClock,
    logger: silentLogger,
    metrics: new Metrics(),
  });
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    await task(servicesOf(app));
  } finally {
    await app.close();
  }
};
