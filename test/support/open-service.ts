import type { Config } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import type { LogConsumer } from '#jobs';
import { type Clock, type DueHandler, systemClock } from '#kernel';
import { type AppLogger, createLogger, type OperatorsListener, startOperatorsListener } from '#observability';
import { openStores, type Stores } from '#stores';
import type { WebhookAttempts } from '#webhooks';
import type { Api } from '../../apps/api/src/api.js';
import type { ConnectionLimits } from '../../apps/api/src/http/connections.js';
import { createServices, type Services } from '../../apps/composition/src/index.js';
import { addServiceGauges } from '../../apps/composition/src/service-gauges.js';

export type { Services };

export interface OpenServiceOptions {
  readonly clock?: Clock;
  readonly logger?: AppLogger;
  /** In place of the stores that the configuration names. */
  readonly stores?: Stores;
}

export interface ApiOptions {
  readonly limits?: ConnectionLimits;
  /** What this API uses in place of the service's own. */
  readonly replaced?: Partial<Services>;
}

/** What polls for work: it counts its polls, and polls again without delay when it is notified. */
export interface Poller {
  readonly activity: { readonly polls: number; readonly isBusy: boolean };
  notify(): void;
}

/** What the service does between requests. */
export interface Jobs {
  readonly consumers: readonly LogConsumer[];
  readonly handlers: readonly DueHandler[];
  readonly attempts: WebhookAttempts;
}

export interface StartedService {
  readonly url: string;
  readonly pollers: readonly Poller[];
  readonly jobs: Jobs;
}

/** The service in this process, on its stores. Nothing runs until it is started, as in the operators' tool. */
export interface OpenService {
  readonly services: Services;
  readonly logger: AppLogger;
  /** Api and worker, on any free port. */
  start(): Promise<StartedService>;
  /** An API without a worker, on any free port; its caller closes it. */
  startApi(options?: ApiOptions): Promise<Api>;
  /** A worker without an API, for processes that end with it. */
  startWorker(): Promise<void>;
  startOpsListener(): Promise<OperatorsListener>;
  /** Stops what `start` has started, and closes the stores. */
  close(): Promise<void>;
}

export const openService = async (config: Config, options: OpenServiceOptions = {}): Promise<OpenService> => {
  const { clock = systemClock, logger = createLogger('silent') } = options;
  const services = await createServices(
    config,
    options.stores ?? (await openStores(config, STORED_EVENTS)),
    clock,
    logger,
  );
  const anyPort = { ...config, port: 0 };
  let stop = async (): Promise<void> => undefined;
  // An app is loaded when it is started: a test that only reads the stores does not load Nest.
  return {
    services,
    logger,
    async start() {
      const { startStandalone } = await import('../../apps/standalone/src/standalone.js');
      const standalone = await startStandalone(services, anyPort, logger);
      stop = () => standalone.stop();
      const { worker, url } = standalone;
      return { url, pollers: [worker.due, worker.webhooks], jobs: worker };
    },
    async startApi({ limits, replaced } = {}) {
      const { startApi } = await import('../../apps/api/src/api.js');
      return startApi({ ...services, ...replaced }, anyPort, logger, { limits });
    },
    async startWorker() {
      const { startWorker } = await import('../../apps/worker/src/start-worker.js');
      await startWorker(services, logger);
    },
    startOpsListener: () => {
      addServiceGauges(services);
      return startOperatorsListener(services.metrics, '127.0.0.1', 0);
    },
    async close() {
      await stop();
      await services.close();
    },
  };
};
