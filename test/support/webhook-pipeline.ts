import { PUBLISHER } from '#event-feed';
import { TaskQueue } from '#jobs';
import { READ_MODELS } from '#projections';
import { DeliveryTasks, WEBHOOK_SCHEDULING } from '#webhooks';
import { lanesOf, logConsumers } from '../../apps/service/src/log-consumers.js';
import { WebhookScheduling } from '../../libs/webhooks/src/delivery/webhook-scheduling.js';
import type { OpenService } from './open-service.js';

const SCHEDULING = [READ_MODELS, PUBLISHER, WEBHOOK_SCHEDULING];

/** Starts the runners that schedule deliveries, to failing endpoints too; returns their names in the order of their work. */
export const startSchedulingWebhooks = ({ services, logger }: OpenService): string[] => {
  const { app } = services;
  app.get(WebhookScheduling, { strict: false }).disableIfFailing = async () => undefined;
  const consumers = logConsumers(app).filter(({ name }) => SCHEDULING.includes(name));
  for (const lane of lanesOf(app, consumers, 1, logger)) lane.start();
  return SCHEDULING;
};

/** Starts sending the deliveries that are due. */
export const startSendingWebhooks = ({ services, logger }: OpenService): void => {
  const { app, log, progress, clock } = services;
  const views = { head: () => log.head(), reached: () => progress.of(READ_MODELS) };
  const queue = new TaskQueue([app.get(DeliveryTasks, { strict: false })], views, clock, logger);
  progress.onReport(() => queue.notify());
  queue.start(Promise.resolve());
};
