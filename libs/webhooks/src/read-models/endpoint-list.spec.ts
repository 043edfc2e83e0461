import { beforeEach, expect, it } from '@jest/globals';
import { streamName } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { endpointId, order, registered, registration } from '../webhook.fixtures.js';
import { type EndpointDocument, EndpointList, endpointListProjection } from './endpoint-list.js';

let projecting: Projecting<EndpointDocument, WebhookEndpointEvent | WebhookDeliveryEvent>;
let list: EndpointList;

const endpoint = (event: WebhookEndpointEvent, at: number) =>
  projecting.record(streamName('webhookEndpoint', endpointId), event, at);
const delivery = (event: WebhookDeliveryEvent, at: number) =>
  projecting.record(streamName('webhookDelivery', order.deliveryId), event, at);

const attempt = { endpointId, attempt: 1, status: 500, error: 'refused' };
const fail = (at: number) =>
  delivery({ type: 'webhookDelivery.attemptFailed.v1', data: { ...attempt, nextAttemptAt: at } }, at);
const exhaust = (at: number) => delivery({ type: 'webhookDelivery.exhausted.v1', data: attempt }, at);
const deliver = (at: number) =>
  delivery({ type: 'webhookDelivery.delivered.v1', data: { ...attempt, status: 200, error: null } }, at);
const disable = (reason: 'operator' | 'failing', at: number) =>
  endpoint({ type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason, failingSince: null } }, at);
const enable = (at: number) => endpoint({ type: 'webhookEndpoint.enabled.v1', data: { endpointId } }, at);
const failingSince = () => list.failingSince(endpointId);
const shown = async () => (await list.ofAgency(registration.agencyId))[0];

beforeEach(async () => {
  projecting = new Projecting(endpointListProjection);
  list = new EndpointList(projecting.readModel);
  await endpoint(registered, 1);
});

it('D104: shows the event types that it takes', async () => {
  expect(await shown()).toMatchObject({ types: null });
  await endpoint({ type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types: ['case.created'] } }, 2);
  expect(await shown()).toMatchObject({ types: ['case.created'] });
});

it('D82: an endpoint fails since the first failure after its last success', async () => {
  expect(await failingSince()).toBeNull();
  await fail(2);
  await exhaust(3);
  expect(await failingSince()).toBe(2);
  await deliver(4);
  expect(await failingSince()).toBeNull();
  await exhaust(5);
  await fail(6);
  expect(await failingSince()).toBe(5);
});

it('D82: enabling clears the time since which the endpoint fails', async () => {
  await fail(2);
  await disable('failing', 3);
  await enable(4);
  expect(await failingSince()).toBeNull();
  await fail(5);
  expect(await failingSince()).toBe(5);
});

it.each(['operator', 'failing'] as const)('D82: says that an endpoint is disabled because of %s', async (reason) => {
  await disable(reason, 2);
  expect(await shown()).toMatchObject({ status: 'disabled', disabledBecause: reason });
  await enable(3);
  expect(await shown()).toMatchObject({ status: 'active', disabledBecause: null, url: registration.url, createdAt: 1 });
});
