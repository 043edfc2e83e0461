import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import type { LogConsumer, TaskQueue } from '#jobs';
import { type Clock, type Logger, systemClock } from '#kernel';
import { createLogger, Metrics, type OperatorsListener, startOperatorsListener } from '#observability';
import { openStores, type Stores } from '#stores';
import { type Api, createApi } from '../../apps/api/src/api.js';
import type { ConnectionLimits } from '../../apps/api/src/http/transport/connections.js';
import { OperatorsModule } from '../../apps/cli/src/stores/with-operator.js';
import { requireLogOf } from '../../apps/service/src/documents-check.js';
import type { Running } from '../../apps/service/src/run.js';
import { ServiceModule } from '../../apps/service/src/service.module.js';
import { ServiceGauges } from '../../apps/service/src/service-gauges.js';
import { createStandalone } from '../../apps/standalone/src/standalone.js';
import { startWorker, Worker } from '../../apps/worker/src/worker.js';
import { type Services, servicesOf } from './services.js';

export type { Services };

export interface OpenServiceOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** In place of the stores that the configuration names. */
  readonly stores?: Stores;
  /** Where api and worker listen together; any free port unless the configuration names its address to others. */
  readonly port?: number;
}

export interface ApiOptions {
  readonly limits?: ConnectionLimits;
  /** Changes what the API is made of, before it starts. */
  readonly change?: (services: Services) => void;
}

/** Polls for work, counts its polls, and polls again without delay when it is notified. */
export interface Poller {
  readonly activity: { readonly polls: number; readonly isBusy: boolean };
  notify(): void;
}

/** The service's jobs, which run between requests. */
export interface Jobs {
  readonly consumers: readonly LogConsumer[];
  readonly tasks: TaskQueue;
}

export interface StartedService {
  readonly url: string;
  readonly pollers: readonly Poller[];
  readonly jobs: Jobs;
}

/** The service in this process, on its stores. Nothing runs until it is started, as in the operators' tool. */
export interface OpenService {
  readonly services: Services;
  readonly logger: Logger;
  /** Api and worker. */
  start(): Promise<StartedService>;
  /** An API without a worker, on any free port; its caller closes it. */
  startApi(options?: ApiOptions): Promise<Api>;
  /** A worker without an API; its caller stops it, or the process ends with it. */
  startWorker(): Promise<Running>;
  startOpsListener(): Promise<OperatorsListener>;
  /** Stops what `start` has started, and closes the stores. */
  close(): Promise<void>;
}

@Module({})
class WithOperators {}

const withOperators = (service: DynamicModule): DynamicModule => ({
  module: WithOperators,
  imports: [service, OperatorsModule],
});

export const openService = async (config: Config, options: OpenServiceOptions = {}): Promise<OpenService> => {
  const { clock = systemClock, logger = createLogger('silent'), port = 0 } = options;
  const stores = options.stores ?? (await openStores(config, STORED_EVENTS, { check: requireLogOf }));
  const setup = (storesOfApp: Stores) => {
    const metrics = new Metrics();
    const openStores = async (): Promise<Stores> => storesOfApp;
    const service = withOperators(ServiceModule.forRoot({ config, openStores, clock, logger, metrics }));
    return { service, config, logger, metrics };
  };
  const standalone = await createStandalone(setup(stores));
  const services = servicesOf(standalone.app);
  // The first app closes the stores as it does in production; the others only use them.
  const shared: Stores = { ...stores, close: async () => undefined };
  const anyPort = { host: config.host, port: 0 };
  return {
    services,
    logger,
    async start() {
      const { url, app } = await standalone.listen({ ...anyPort, port });
      const worker = app.get(Worker, { strict: false });
      const { tasks, consumers } = worker;
      return { url, pollers: [tasks], jobs: { tasks, consumers } };
    },
    async startApi({ limits, change } = {}) {
      const another = setup(shared);
      const api = await createApi(another, [], limits);
      change?.(servicesOf(api.app));
      return api.listen(anyPort);
    },
    startWorker: () => startWorker(setup(shared).service),
    startOpsListener: () => {
      standalone.app.get(ServiceGauges).register();
      return startOperatorsListener(services.metrics, '127.0.0.1', 0);
    },
    async close() {
      await standalone.app.close();
    },
  };
};
