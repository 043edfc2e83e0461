import { ALL_PROJECTIONS } from '#contexts';
import { LogRunner } from '#jobs';
import { silentLogger } from '#kernel';
import { READ_MODELS, ReadModelsConsumer } from '#projections';
import type { Services } from '../../service/src/services.js';

const CATCH_UP_TIMEOUT = 60_000;

/** Runs the task once the read models have reached the log's head, whether or not a worker is running. */
export const withReadModels = async <T>(services: Services, task: () => Promise<T>): Promise<T> => {
  const { config, log, documents, leases, progress, setAsides } = services;
  const consumer = new ReadModelsConsumer(documents, services.rebuild, ALL_PROJECTIONS, config.caches);
  const runner = new LogRunner(consumer, log, documents, leases, progress, setAsides, silentLogger);
  runner.start();
  try {
    await services.caughtUp([READ_MODELS], CATCH_UP_TIMEOUT);
    return await task();
  } finally {
    await runner.stop();
  }
};
