import type { ModuleRef } from '@nestjs/core';
import { ALL_PROJECTIONS, LOG_CONSUMERS } from '#contexts';
import type { LogConsumer } from '#jobs';
import { Caches, DocumentStore } from '#kernel';
import { byRunner, ReadModelsConsumer, Rebuild } from '#projections';

/** All that follows the log: the read models, and what the contexts define. */
export const logConsumers = (container: Pick<ModuleRef, 'get'>): LogConsumer[] => {
  const anywhere = { strict: false };
  const readModels = [...byRunner(ALL_PROJECTIONS)].map(
    ([runner, own]) =>
      new ReadModelsConsumer(
        container.get(DocumentStore, anywhere),
        container.get(Rebuild, anywhere),
        own,
        container.get(Caches, anywhere),
        runner,
      ),
  );
  return [...readModels, ...LOG_CONSUMERS.map((consumer) => container.get<LogConsumer>(consumer, anywhere))];
};
