import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PublicEventType } from '#event-feed';
import { type Position, streamName } from '#kernel';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.js';
import type { ChosenTypes, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { enabled, endpointId, order, registered, registration, workspaceId } from '../webhook.fixtures.js';
import { type EndpointDocument, EndpointList, endpointListProjection, received } from './endpoint-list.js';

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
const enable = (at: number) => endpoint(enabled, at);
const choose = (types: ChosenTypes) =>
  endpoint({ type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types } }, 0);
/** Whether the endpoint gets an event of the type that is published after each of these. */
const gets = async (type: PublicEventType, ...positions: Position[]) => {
  const [one] = await list.ofWorkspace(workspaceId);
  return positions.map((position) => one !== undefined && received(one, position + 1, type));
};
const failingSince = async () => (await list.get(endpointId))?.failingSince;
const shown = async () => (await list.ofAgency(registration.agencyId))[0];

beforeEach(async () => {
  projecting = new Projecting(endpointListProjection);
  list = new EndpointList(projecting.readModel);
  await endpoint(registered, 1);
});

it('D104: shows the event types that it takes', async () => {
  expect(await shown()).toMatchObject({ types: null });
  await choose(['case.created']);
  expect(await shown()).toMatchObject({ types: ['case.created'] });
});

it('D82: an endpoint fails since the first failure after its last success', async () => {
  expect(await failingSince()).toBeNull();
  const { position } = await fail(2);
  await exhaust(3);
  expect(await list.get(endpointId)).toMatchObject({ failingSince: 2, failingFrom: position });
  await deliver(4);
  expect(await failingSince()).toBeNull();
  await exhaust(5);
  await fail(6);
  expect(await failingSince()).toBe(5);
});

it('keeps the time of the first delivery when it is replayed', async () => {
  expect(await shown()).toMatchObject({ firstDeliveredAt: null });
  await deliver(2);
  await deliver(3);
  expect(await shown()).toMatchObject({ firstDeliveredAt: 2 });
});

it('takes a test that was answered 2xx for a first delivery, and no other', async () => {
  const test = { endpointId, testId: order.deliveryId };
  const answered = (status: number, error: 'refused' | null, at: number) =>
    endpoint({ type: 'webhookEndpoint.tested.v1', data: { ...test, status, error } }, at);
  await answered(500, 'refused', 2);
  expect(await shown()).toMatchObject({ firstDeliveredAt: null });
  await answered(204, null, 3);
  await deliver(4);
  expect(await shown()).toMatchObject({ firstDeliveredAt: 3, failingSince: null });
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

describe('where in the log an endpoint receives events (D84)', () => {
  it('is between its registration or enabling and its being disabled, also after later changes', async () => {
    const { position: off } = await disable('operator', 2);
    const { position: on } = await enable(3);
    await disable('operator', 4);
    expect(await gets('case.created', 0, 2, off, on, on + 2)).toEqual([false, true, false, true, false]);
  });

  it('D104: is where it names the type', async () => {
    const { position: two } = await choose(['case.created', 'scan.completed']);
    const { position: one } = await choose(['scan.failed']);
    const { position: all } = await choose(null);
    expect(await gets('case.created', 2, two, one, all)).toEqual([true, true, false, true]);
    expect(await gets('scan.completed', two, one, all)).toEqual([true, false, true]);
    expect(await gets('scan.failed', two, one, all)).toEqual([false, true, true]);
  });

  it('D104: has the types that were chosen while it was disabled, once it is enabled', async () => {
    await disable('operator', 2);
    const { position: chosen } = await choose(['case.created']);
    const { position: enabled } = await enable(3);
    expect(await gets('case.created', chosen, enabled)).toEqual([false, true]);
    expect(await gets('scan.completed', chosen, enabled)).toEqual([false, false]);
  });

  it('is known of the latest changes, so that somebody who goes on changing it makes no document that grows', async () => {
    const change = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await disable('operator', 2);
        await enable(3);
        await choose(['case.created']);
        await choose(['scan.failed']);
      }
      return (await shown())?.spans.length;
    };
    const most = await change(10);
    expect(await change(10)).toBe(most);
    const { position } = await disable('operator', 4);
    expect(await gets('scan.failed', position - 2, position)).toEqual([true, false]);
    expect(await gets('case.created', position - 4)).toEqual([true]);
  });
});
