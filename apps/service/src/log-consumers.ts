import type { ModuleRef } from '@nestjs/core';
import { ALL_PROJECTIONS, CONTEXTS } from '#contexts';
import { Publisher } from '#event-feed';
import type { LogConsumer } from '#jobs';
import { Caches, DocumentStore } from '#kernel';
import { ReadModelsConsumer, Rebuild } from '#projections';
import { WebhookScheduling } from '#webhooks';

/** All that follows the log: the read models, publishing, the reactions of all contexts, and the scheduling of webhooks. */
export const logConsumers = (container: Pick<ModuleRef, 'get'>): LogConsumer[] => {
  const anywhere = { strict: false };
  const reactions = CONTEXTS.flatMap((context) => Object.values(context.reactions));
  return [
    new ReadModelsConsumer(
      container.get(DocumentStore, anywhere),
      container.get(Rebuild, anywhere),
      ALL_PROJECTIONS,
      container.get(Caches, anywhere),
    ),
    container.get(Publisher, anywhere),
    ...reactions.map((reaction) => container.get<LogConsumer>(reaction, anywhere)),
    container.get(WebhookScheduling, anywhere),
  ];
};
