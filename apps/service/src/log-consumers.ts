import type { ModuleRef } from '@nestjs/core';
import { ALL_PROJECTIONS, LOG_CONSUMERS } from '#contexts';
import type { LogConsumer } from '#jobs';
import { Caches, DocumentStore } from '#kernel';
import { ReadModelsConsumer, Rebuild } from '#projections';

/** All that follows the log: the read models, and what the contexts define. */
export const logConsumers = (container: Pick<ModuleRef, 'get'>): LogConsumer[] => {
  const anywhere = { strict: false };
  return [
    new ReadModelsConsumer(
      container.get(DocumentStore, anywhere),
      container.get(Rebuild, anywhere),
      ALL_PROJECTIONS,
      container.get(Caches, anywhere),
    ),
    ...LOG_CONSUMERS.map((consumer) => container.get<LogConsumer>(consumer, anywhere)),
  ];
};
