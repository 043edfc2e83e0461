import type { ModuleRef } from '@nestjs/core';
import { ALL_PROJECTIONS, LANES, LOG_CONSUMERS } from '#contexts';
import { Checkpoints, DeadLetters, Lane, type LaneDefinition, type LogConsumer } from '#jobs';
import { Caches, DocumentStore, EventLog, LanePositions, type Logger } from '#kernel';
import { byRunner, ReadModelsConsumer, Rebuild } from '#projections';

type Container = Pick<ModuleRef, 'get'>;

/** All that follows the log: the read models, and what the contexts define. */
export const logConsumers = (container: Container): LogConsumer[] => {
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

export const laneDefinitions = (consumers: readonly LogConsumer[]): LaneDefinition[] =>
  LANES.map(({ runners, ...lane }) => ({
    ...lane,
    consumers: consumers.filter((consumer) => runners.includes(consumer.name)),
  }));

export const lanesOf = (
  container: Container,
  consumers: readonly LogConsumer[],
  fence: number,
  logger: Logger,
  runs = (_: LaneDefinition) => true,
): Lane[] => {
  const get = <T>(token: abstract new (...given: never[]) => T): T =>
    container.get<T>(token as never, { strict: false });
  return laneDefinitions(consumers)
    .filter(runs)
    .map(
      (definition) =>
        new Lane(
          definition,
          fence,
          get(EventLog),
          get(DocumentStore),
          get(LanePositions),
          get(DeadLetters),
          logger,
          get(Checkpoints),
        ),
    );
};
