import { expect, it } from '@jest/globals';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import {
  agencyId,
  derivedId,
  newEventId,
  Rebuild,
  type StreamName,
  streamName,
  systemClock,
  type WorkspaceId,
} from '#kernel';
import { EVENT_FEED, type EventPublished } from '#publishing';
import { deliveryIdOf, type WebhookDeliveryEvent } from '#webhooks';
import { READ_MODELS, ReadModelsConsumer, readModelCollections } from './read-models-consumer.js';

const lumen = agencyId('ag_lumen');
const workspaceId: WorkspaceId = derivedId('workspace', lumen);
const endpointId = derivedId('webhookEndpoint', 'one');
const eventId = derivedId('event', 'one');
const creatorId = derivedId('creator', 'mia');
const deliveryId = deliveryIdOf(endpointId, eventId);

const published: EventPublished = {
  type: 'eventFeed.eventPublished.v1',
  data: {
    eventId,
    eventType: 'scan.completed',
    creatorId,
    cause: { eventId: 'cause', stream: streamName('scan', '1'), revision: 0 },
    personal: { bytes: '{}' },
  },
};
const scheduled: WebhookDeliveryEvent = {
  type: 'webhookDelivery.scheduled.v1',
  data: {
    deliveryId,
    endpointId,
    agencyId: lumen,
    creatorId,
    eventId,
    eventType: 'scan.completed',
    workspaceId,
    feedRevision: 0,
  },
};

it('D58: writes an event’s place in the feed before the delivery that waits, in one batch too', async () => {
  const log = new InMemoryEventLog();
  const documents = new InMemoryDocumentStore();
  await documents.ensure(await readModelCollections(documents));
  const happened = (stream: StreamName, { type, data }: EventPublished | WebhookDeliveryEvent) => {
    const metadata = { at: 0, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
    return log.append(stream, 'none', [{ id: newEventId(), type, data, metadata }]);
  };
  await happened(streamName(EVENT_FEED, workspaceId), published);
  await happened(streamName('webhookDelivery', deliveryId), scheduled);
  const consumer = new ReadModelsConsumer(documents, new Rebuild(READ_MODELS, log, documents, systemClock));
  await consumer.takeOver();
  const writes = await consumer.handle(await log.readLog({ after: 0, types: consumer.types }));
  const ids = writes.flatMap(({ put = [] }) => put.map(({ id }) => id));
  expect(ids).toContain(deliveryId);
  expect(ids.indexOf(eventId)).toBeGreaterThanOrEqual(0);
  expect(ids.indexOf(eventId)).toBeLessThan(ids.indexOf(deliveryId));
});
