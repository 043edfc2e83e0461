import { DUE_KINDS } from '#contexts';
import { RUNNERS, runnerLags } from './runners.js';
import type { Services } from './services.js';

/** The gauges that the operators' listener shows; each reads its value when it is asked for. */
export const addServiceGauges = (services: Services): void => {
  watchRunners(services);
  watchDueWork(services);
  watchWebhooks(services);
};

const watchRunners = (services: Services): void => {
  const { metrics, setAsideList } = services;
  metrics.watchSetAsides(RUNNERS);
  const lag = "How far each runner is behind the log's end, in the log's own positions.";
  metrics.gauge('runner_lag', lag, 'runner', () => runnerLags(services));
  metrics.gauge('runner_set_aside', 'What is set aside by each runner until it is retried.', 'runner', async () => {
    const counts = await setAsideList.countByRunner();
    return new Map(RUNNERS.map((runner) => [runner, counts.get(runner) ?? 0]));
  });
};

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
