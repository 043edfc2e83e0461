import { ALL_PROJECTIONS } from '#contexts';
import { Publisher } from '#event-feed';
import { LogRunner } from '#jobs';
import { byRunner, READ_MODELS, ReadModelsConsumer } from '#projections';
import { WebhookDispatch, WebhookScheduling } from '#webhooks';
import { FailingEndpoints } from '../../libs/webhooks/src/delivery/failing-endpoints.js';
import type { OpenService } from './open-service.js';

/** Starts the runners that schedule deliveries, to failing endpoints too; returns their names in the order of their work. */
export const startSchedulingWebhooks = ({ services, logger }: OpenService): string[] => {
  const { app, log, documents, leases, progress, setAsides, rebuild } = services;
  const readModels = new ReadModelsConsumer(documents, rebuild, byRunner(ALL_PROJECTIONS).get(READ_MODELS) ?? []);
  const publisher = app.get(Publisher, { strict: false });
  const scheduling = app.get(WebhookScheduling, { strict: false });
  app.get(FailingEndpoints, { strict: false }).judge = async () => true;
  for (const consumer of [readModels, publisher, scheduling]) {
    new LogRunner(consumer, log, documents, leases, progress, setAsides, logger).start();
  }
  return [readModels, publisher, scheduling].map(({ name }) => name);
};

/** Starts sending the deliveries that are due. */
export const startSendingWebhooks = ({ services }: OpenService): void => {
  const { progress } = services;
  const dispatch = services.app.get(WebhookDispatch, { strict: false });
  progress.onReport(() => dispatch.notify());
  dispatch.start(Promise.resolve());
};
