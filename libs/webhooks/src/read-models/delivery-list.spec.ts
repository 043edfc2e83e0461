import { beforeEach, expect, it } from '@jest/globals';
import { agencyId, derivedId, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.js';
import { type DeliveryDocument, DeliveryList, deliveryListProjection } from './delivery-list.js';

const lumen = agencyId('ag_lumen');
const [one, two] = [derivedId('webhookEndpoint', 1), derivedId('webhookEndpoint', 2)];

let projecting: Projecting<DeliveryDocument, WebhookDeliveryEvent>;
let list: DeliveryList;

beforeEach(() => {
  projecting = new Projecting(deliveryListProjection);
  list = new DeliveryList(projecting.readModel);
});

const idOf = (name: string) => derivedId('webhookDelivery', name);
const record = (name: string, event: WebhookDeliveryEvent, at: number) =>
  projecting.record(streamName('webhookDelivery', idOf(name)), event, at);

const schedule = (name: string, revision: number, { endpointId = one, agency = lumen, at = 0 } = {}) =>
  record(
    name,
    {
      type: 'webhookDelivery.scheduled.v1',
      data: {
        deliveryId: idOf(name),
        endpointId,
        agencyId: agency,
        creatorId: derivedId('creator', 'mia'),
        eventId: derivedId('event', name),
        eventType: 'scan.completed',
        workspaceId,
        feedRevision: revision,
      },
    },
    at,
  );
const attempt = { endpointId: one, attempt: 1, status: 500, error: 'refused' };
const fail = (name: string, nextAttemptAt: number) =>
  record(name, { type: 'webhookDelivery.attemptFailed.v1', data: { ...attempt, nextAttemptAt } }, 10);
const exhaust = (name: string, at: number) =>
  record(name, { type: 'webhookDelivery.exhausted.v1', data: { ...attempt, attempt: 5 } }, at);
const deliver = (name: string) =>
  record(name, { type: 'webhookDelivery.delivered.v1', data: { ...attempt, status: 200, error: null } }, 20);

it('shows a delivery as it is now, with the result of its last attempt', async () => {
  await schedule('a', 3, { at: 5 });
  expect(await projecting.get(idOf('a'))).toMatchObject({ status: 'pending', at: 5, attempts: 0, lastStatus: null });
  await fail('a', 70);
  expect(await projecting.get(idOf('a'))).toMatchObject({
    status: 'pending',
    at: 70,
    attempts: 1,
    lastStatus: 500,
    lastError: 'refused',
  });
  await record(
    'a',
    { type: 'webhookDelivery.postponed.v1', data: { endpointId: one, reason: 'creator_missing', until: 75 } },
    71,
  );
  expect(await projecting.get(idOf('a'))).toMatchObject({ status: 'pending', at: 75, attempts: 1 });
  await exhaust('a', 80);
  expect(await projecting.get(idOf('a'))).toMatchObject({ status: 'failed', at: 80, attempts: 5 });
  await record('a', { type: 'webhookDelivery.replayRequested.v1', data: { endpointId: one } }, 90);
  expect(await projecting.get(idOf('a'))).toMatchObject({ status: 'pending', at: 90, attempts: 5 });
  await deliver('a');
  expect(await projecting.get(idOf('a'))).toMatchObject({
    status: 'delivered',
    at: 20,
    lastStatus: 200,
    lastError: null,
  });
  await record('a', { type: 'webhookDelivery.revoked.v1', data: { endpointId: one, reason: 'erased' } }, 99);
  expect(await projecting.get(idOf('a'))).toMatchObject({ status: 'failed', at: 99, lastError: 'erased' });
});

it('knows what is pending for an endpoint, due or not', async () => {
  for (const [revision, name] of ['a', 'b', 'c', 'd'].entries()) await schedule(name, revision, { at: 50 + revision });
  await schedule('other', 9, { endpointId: two });
  await deliver('b');
  expect(await list.pending(one, 10)).toEqual(['a', 'c', 'd'].map(idOf));
  expect(await list.pending(one, 2)).toHaveLength(2);
});
