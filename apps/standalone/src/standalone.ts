import { type DynamicModule, Module } from '@nestjs/common';
import { type Api, type ApiApp, createApi } from '../../api/src/api.js';
import { ApiModule } from '../../api/src/api.module.js';
import type { ConnectionLimits } from '../../api/src/http/transport/connections.js';
import { DashboardModule } from '../../dashboard/src/dashboard.module.js';
import type { Setup } from '../../service/src/run.js';
import { WorkerModule } from '../../worker/src/worker.module.js';

@Module({})
class StandaloneRoot {}

const standaloneRoot = ({ service, config }: Pick<Setup, 'service' | 'config'>): DynamicModule => ({
  module: StandaloneRoot,
  imports: [service, ApiModule, DashboardModule.forRoot(config), WorkerModule],
});

/** Api and worker in one application, made and not started. */
export const createStandalone = (setup: Setup, limits?: ConnectionLimits): Promise<ApiApp> =>
  createApi(standaloneRoot(setup), setup, limits);

export const startStandalone = async (setup: Setup): Promise<Api> => {
  const { listen } = await createStandalone(setup);
  return listen(setup.config);
};
