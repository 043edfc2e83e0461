import { beforeEach, expect, it } from '@jest/globals';
import { ALL_PROJECTIONS } from '#contexts';
import {
  agencyId,
  type Document,
  type DomainEvent,
  derivedId,
  type LogPage,
  type RecordedEvent,
  type StreamName,
  streamName,
} from '#kernel';
import { InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import type { WebhookDeliveryEvent } from '#webhooks';
import { Rebuild } from '../rebuild/rebuild.js';
import { ReadModelsConsumer, readModelCollections } from './read-models-consumer.js';

const endpointId = derivedId('webhookEndpoint', 'one');
const deliveryId = derivedId('webhookDelivery', 'one');
const workspaceId = derivedId('workspace', 'ag_lumen');
const attempt = { endpointId, attempt: 1, status: 500, error: 'refused' };

const SCHEDULED: WebhookDeliveryEvent = {
  type: 'webhookDelivery.scheduled.v1',
  data: {
    deliveryId,
    endpointId,
    agencyId: agencyId('ag_lumen'),
    creatorId: derivedId('creator', 'mia'),
    eventId: derivedId('event', 'one'),
    eventType: 'scan.completed',
    workspaceId,
    feedRevision: 0,
  },
};
const FAILED: WebhookDeliveryEvent = {
  type: 'webhookDelivery.attemptFailed.v1',
  data: { ...attempt, nextAttemptAt: 9 },
};
const DELIVERED: WebhookDeliveryEvent = {
  type: 'webhookDelivery.delivered.v1',
  data: { ...attempt, attempt: 2, status: 204, error: null },
};

/** Counts what is read of documents by their ids. */
class CountedStore extends InMemoryDocumentStore {
  read: string[] = [];

  override getMany<D extends Document>(collection: string, ids: readonly string[]): Promise<D[]> {
    this.read.push(collection);
    return super.getMany(collection, ids);
  }
}

let store: CountedStore;
let consumer: ReadModelsConsumer;
let position: number;

const handle = async (stream: StreamName, event: DomainEvent) => {
  position++;
  const metadata = { at: position, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId };
  const recorded: RecordedEvent = { ...event, id: `e${position}`, stream, revision: 0, position, metadata };
  const page: LogPage = { events: [recorded], reached: position, atEnd: true };
  store.read = [];
  await store.write(await consumer.handle(page));
  return store.read;
};
const ofDelivery = (event: WebhookDeliveryEvent) => handle(streamName('webhookDelivery', deliveryId), event);

beforeEach(async () => {
  position = 0;
  store = new CountedStore();
  await store.ensure(await readModelCollections(store, ALL_PROJECTIONS));
  const rebuild = new Rebuild(new InMemoryEventLog(), store);
  consumer = new ReadModelsConsumer(store, rebuild, ALL_PROJECTIONS);
  await consumer.takeOver();
});

it('does not read what it has written, and shows what it would have shown', async () => {
  expect(await ofDelivery(SCHEDULED)).toContain('webhook_deliveries_v8_1');
  expect(await ofDelivery(FAILED)).not.toContain('webhook_deliveries_v8_1');
  expect(await ofDelivery(DELIVERED)).not.toContain('webhook_deliveries_v8_1');
  expect(await store.get('webhook_deliveries_v8_1', deliveryId)).toMatchObject({
    status: 'delivered',
    attempts: 2,
    lastStatus: 204,
    position,
  });
});

it('reads everything again when it takes over, because a write may have failed, or another process may have written', async () => {
  await ofDelivery(SCHEDULED);
  await consumer.takeOver();
  expect(await ofDelivery(FAILED)).toContain('webhook_deliveries_v8_1');
});

it('D72: keeps no document when another process may run it', async () => {
  await ofDelivery(SCHEDULED);
  consumer.forget();
  expect(await ofDelivery(FAILED)).toContain('webhook_deliveries_v8_1');
});
