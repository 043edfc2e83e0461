import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ENROLLMENT_COUNT, METERING, PUBLISHER, SCAN_PLACES, WEBHOOK_SCHEDULING } from '#processes';
import { DUE_KINDS, READ_MODELS } from '#read-models';
import type { Services } from './services.js';

export interface OpsListener {
  readonly url: string;
  close(): Promise<void>;
}

/** The operators' listener: `/metrics` and nothing else. */
export const startOpsListener = async (services: Services, host: string, port: number): Promise<OpsListener> => {
  const { metrics } = services;
  metrics.watchProcess();
  watchRunners(services);
  watchDueWork(services);
  watchWebhooks(services);
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${actual}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const RUNNERS = [READ_MODELS, PUBLISHER, METERING, SCAN_PLACES, ENROLLMENT_COUNT, WEBHOOK_SCHEDULING];

const watchRunners = ({ metrics, log, progress }: Services): void =>
  metrics.gauge(
    'runner_lag',
    "How far each runner is behind the log's end, in the log's own positions.",
    'runner',
    async () => {
      const head = await log.head();
      const lags = RUNNERS.map(async (runner) => [runner, Math.max(0, head - (await progress.of(runner)))] as const);
      return new Map(await Promise.all(lags));
    },
  );

/** More than this of a kind is told as this. */
const MOST = 1_000;

const watchDueWork = ({ metrics, dueWork, clock }: Services): void =>
  metrics.gauge('due_work', `Items that are due and not claimed, by kind, up to ${MOST}.`, 'kind', async () => {
    const counts = DUE_KINDS.map(async (kind) => [kind, await dueWork.countReady(kind, clock.now(), MOST)] as const);
    return new Map(await Promise.all(counts));
  });

/** A dead endpoint keeps some waiting by D60; what is due and not sent at once says that the worker does not keep up. */
const watchWebhooks = ({ metrics, deliveryList, clock }: Services): void =>
  metrics.gauge(
    'webhook_endpoints_waiting',
    'Endpoints for which deliveries are pending: due by now, and due later.',
    'due',
    async () => {
      const now = clock.now();
      const waiting = await deliveryList.waiting();
      const due = waiting.filter(({ dueAt }) => dueAt <= now).length;
      return new Map([
        ['now', due],
        ['later', waiting.length - due],
      ]);
    },
  );
