import { NestFactory } from '@nestjs/core';
import type { Logger } from '#kernel';
import type { Running, Services } from '../../composition/src/index.js';
import { WorkerModule } from './worker.module.js';

/** The worker as a separate application, without HTTP. */
export const startWorker = async (services: Services, logger: Logger): Promise<Running> => {
  const app = await NestFactory.createApplicationContext(WorkerModule.over(services, logger), {
    logger: false,
    abortOnError: false,
  });
  return { stop: () => app.close() };
};
