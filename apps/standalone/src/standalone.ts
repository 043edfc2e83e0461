import { startApi } from '../../api/src/api.js';
import type { AppLogger, Config, Running, Services } from '../../composition/src/index.js';
import { Worker } from '../../worker/src/worker.js';

export interface Standalone extends Running {
  readonly url: string;
  readonly worker: Worker;
}

/** Api and worker in one process. */
export const startStandalone = async (services: Services, config: Config, logger: AppLogger): Promise<Standalone> => {
  const worker = new Worker(services, logger);
  worker.start();
  const api = await startApi(services, config, logger);
  return {
    url: api.url,
    worker,
    async stop() {
      await Promise.all([worker.beginNothing(), api.close()]);
      await worker.stop();
    },
  };
};
