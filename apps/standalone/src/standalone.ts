import { type Api, type ApiApp, createApi } from '../../api/src/api.js';
import type { Setup } from '../../service/src/run.js';
import { WorkerModule } from '../../worker/src/worker.js';

/** API and worker in one application, created but not started. */
export const createStandalone = (setup: Setup): Promise<ApiApp> => createApi(setup, [WorkerModule]);

export const startStandalone = async (setup: Setup): Promise<Api> => {
  const { listen } = await createStandalone(setup);
  return listen(setup.config);
};
