import { NestFactory } from '@nestjs/core';
import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { silentLogger, systemClock } from '#kernel';
import { Metrics } from '#observability';
import { type KeyNeed, openStores } from '#stores';
import { requireLogOf } from '../../../service/src/documents-check.js';
import { Operator } from '../operator.js';
import { CliModule } from './cli.module.js';

export type { KeyNeed };

/** Runs the task in a Nest application context over the configured stores. */
export const withOperator = async (
  environment: NodeJS.ProcessEnv,
  need: KeyNeed,
  task: (operator: Operator) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const root = CliModule.forRoot({
    config,
    openStores: () => openStores(config, STORED_EVENTS, { need, work: 'background', check: requireLogOf }),
    clock: systemClock,
    logger: silentLogger,
    metrics: new Metrics(),
    need,
  });
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    await task(app.get(Operator));
  } finally {
    await app.close();
  }
};
