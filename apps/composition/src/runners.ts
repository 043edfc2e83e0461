import { ALL_PROJECTIONS } from '#contexts';
import { EnrollmentCount } from '#creators';
import { Announcements, Publisher } from '#event-feed';
import { DUE_WORK, type LogConsumer } from '#jobs';
import type { Logger, Position } from '#kernel';
import { READ_MODELS, ReadModelsConsumer } from '#projections';
import { ScanPlaces } from '#scans';
import { Metering } from '#usage';
import { FailingEndpoints, WEBHOOKS, WebhookScheduling } from '#webhooks';
import { LOG_RUNNERS } from './log-runners.js';
import type { Services } from './services.js';

/** All that may set something aside (D67). */
export const RUNNERS = [...LOG_RUNNERS, DUE_WORK, WEBHOOKS];

export const logConsumers = (services: Services, logger: Logger): LogConsumer[] => [
  new ReadModelsConsumer(services.documents, services.rebuild, ALL_PROJECTIONS, services.config.caches),
  publisher(services),
  ...processesOf(services, logger),
];

const publisher = ({ log, config, erasures }: Services): Publisher => {
  const announcements = new Announcements(log, { faviconTemplate: config.faviconTemplate }, config.caches);
  erasures.onErasure(() => announcements.forget());
  return new Publisher(log, announcements, config.caches);
};

const processesOf = (
  { log, documents, runner, scans, progress, deliveryList }: Services,
  logger: Logger,
): LogConsumer[] => [
  new Metering(runner),
  new ScanPlaces(runner, scans),
  new EnrollmentCount(runner),
  new WebhookScheduling(
    runner,
    documents,
    log,
    new FailingEndpoints(
      runner,
      deliveryList,
      (position, timeout) => progress.passed([READ_MODELS], position, timeout),
      logger,
    ),
  ),
];

/** How far each runner is behind the log's end, in the log's own positions. */
export const runnerLags = async ({
  log,
  progress,
}: Pick<Services, 'log' | 'progress'>): Promise<ReadonlyMap<string, Position>> => {
  const head = await log.head();
  const lags = LOG_RUNNERS.map(async (runner) => [runner, await progress.lag(runner, head)] as const);
  return new Map(await Promise.all(lags));
};
