import { beforeEach, expect, it } from '@jest/globals';
import { type Checkpoint, eventInLog } from '#kernel';
import { collectionName, LIVE_COLLECTIONS, laneOfReadModels, READ_MODELS } from '#projections';
import { eventually } from '#testing';
import { type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { endpointListProjection } from '../read-models/endpoint-list.js';
import { WebhooksModule } from '../webhooks.module.js';
import { WebhookScheduling } from './webhook-scheduling.js';

const { name, version } = endpointListProjection;

let service: TestedContext;

const live = async (filledBy: number) => {
  const put = [{ id: name, collection: collectionName(endpointListProjection, 1), version: filledBy }];
  await service.documents.write([{ collection: LIVE_COLLECTIONS.name, put }]);
};
const followedTo = (event: Checkpoint['event']) =>
  service.documents.write([], { name: laneOfReadModels(READ_MODELS), position: 1, fence: 1, event });
const prepared = () => service.get(WebhookScheduling).prepare(new AbortController().signal);

beforeEach(async () => {
  service = await testedContext([WebhooksModule]);
  await live(version);
});

it('starts immediately with endpoints of this version and this log', async () => {
  await prepared();
  const [first] = (await service.log.readLog({ after: 0, limit: 1 })).events;
  await followedTo(first && eventInLog(first));
  await prepared();
});

it.each([
  ['D80', 'of another version', () => live(version - 1)],
  ['D92', 'of another log', () => followedTo({ id: 'another', stream: 'agency-other', revision: 0, position: 1 })],
])('%s: waits until the read models have rebuilt endpoints that are %s', async (_, _kind, given) => {
  await given();
  let looks = 0;
  const checkpoint = service.documents.checkpoint.bind(service.documents);
  service.documents.checkpoint = (lane) => {
    looks++;
    return checkpoint(lane);
  };
  let isPrepared = false;
  const preparing = prepared().then(() => {
    isPrepared = true;
  });
  await eventually(() => looks > 2);
  expect(isPrepared).toBe(false);
  const [first] = (await service.log.readLog({ after: 0, limit: 1 })).events;
  await followedTo(first && eventInLog(first));
  await live(version);
  await preparing;
});
