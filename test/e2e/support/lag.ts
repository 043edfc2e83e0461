import { setTimeout as delay } from 'node:timers/promises';
import { laneOf } from '#contexts';
import { EVENT_FEED } from '#event-feed';
import { DeadLetters } from '#jobs';
import { type Duration, newEventId, streamName, type WorkspaceId } from '#kernel';
import { READ_MODELS } from '#projections';
import type { Services } from '../../support/open-service.js';
import type { Agency } from './agency.js';
import type { Service } from './service.js';

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

/** Records an event of the agency that the read model lacks until it is rebuilt (D67). */
export const recordDeadLetter = async (service: Service, { workspaceId }: Agency, readModel: string): Promise<void> => {
  const item = { kind: 'event', eventId: newEventId(), stream: streamName('setAside', 'test'), revision: 0 } as const;
  const cause = { id: item.eventId, correlationId: 'req_test', workspaceId: workspaceId as WorkspaceId };
  const deadLetters = service.services.app.get(DeadLetters, { strict: false });
  await deadLetters.record({ runner: READ_MODELS, part: readModel, item }, new Error('test'), cause);
};
