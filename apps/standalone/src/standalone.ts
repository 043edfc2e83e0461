import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '#configuration';
import type { AppLogger } from '#observability';
import { startApi } from '../../api/src/api.js';
import { ApiModule } from '../../api/src/api.module.js';
import type { Running, Services } from '../../composition/src/index.js';
import { Worker } from '../../worker/src/worker.js';
import { WorkerModule } from '../../worker/src/worker.module.js';

export interface Standalone extends Running {
  readonly url: string;
  readonly worker: Worker;
}

/** Api and worker in one application. */
@Module({})
class StandaloneModule {
  static over(services: Services, logger: AppLogger): DynamicModule {
    const imports = [ApiModule.over(services, logger), WorkerModule.over(services, logger)];
    return { module: StandaloneModule, imports };
  }
}

export const startStandalone = async (services: Services, config: Config, logger: AppLogger): Promise<Standalone> => {
  const api = await startApi(services, config, logger, { root: StandaloneModule.over(services, logger) });
  return { url: api.url, worker: api.app.get(Worker, { strict: false }), stop: () => api.close() };
};
