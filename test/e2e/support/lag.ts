import { setTimeout as delay } from 'node:timers/promises';
import { laneOf } from '#contexts';
import { EVENT_FEED } from '#event-feed';
import type { Duration } from '#kernel';
import { READ_MODELS } from '#projections';
import type { Services } from '../../support/open-service.js';

/** Makes read models and feed follow each write late. */
export const lag = ({ documents, log }: Services, by: Duration): void => {
  const write = documents.write.bind(documents);
  documents.write = async (...sent) => {
    await delay(by);
    return write(...sent);
  };
  const append = log.append.bind(log);
  log.append = async (stream, ...sent) => {
    if (stream.startsWith(`${EVENT_FEED}-`)) await delay(by);
    return append(stream, ...sent);
  };
};

/** Lets none of the runner's read models follow until they are let go on. */
export const holdReadModels = ({ documents }: Services, runner = READ_MODELS): { goOn(): void } => {
  const write = documents.write.bind(documents);
  const { promise: goingOn, resolve } = Promise.withResolvers<void>();
  documents.write = async (writes, checkpoint) => {
    // Others go on: a publisher that cannot note how far it is would publish nothing more.
    if (checkpoint?.name === laneOf(runner)) await goingOn;
    return write(writes, checkpoint);
  };
  return {
    goOn: () => {
      documents.write = write;
      resolve();
    },
  };
};

/** Lets nothing be published until it is let go on. */
export const holdFeed = ({ log }: Services): { goOn(): void } => {
  const append = log.append.bind(log);
  const { promise: goingOn, resolve } = Promise.withResolvers<void>();
  log.append = async (stream, ...sent) => {
    if (stream.startsWith(`${EVENT_FEED}-`)) await goingOn;
    return append(stream, ...sent);
  };
  return {
    goOn: () => {
      log.append = append;
      resolve();
    },
  };
};
