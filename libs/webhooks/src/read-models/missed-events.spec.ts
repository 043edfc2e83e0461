import { beforeEach, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import { type EventPublished, type PublicEventType, publish } from '#event-feed';
import { derivedId, streamName } from '#kernel';
import { Projecting, workspaceId } from '../../../projections/src/read-models/projected.fixtures.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { disabled, enabled, endpointId, order, registered } from '../webhook.fixtures.js';
import {
  ListDisabledSpans,
  ListDisabledSpansHandler,
  type MissedEventsDocument,
  missedEventsProjection,
} from './missed-events.js';

let projecting: Projecting<MissedEventsDocument, WebhookEndpointEvent | EventPublished>;
beforeEach(() => {
  projecting = new Projecting(missedEventsProjection);
});

const endpoint = (event: WebhookEndpointEvent, at: number) =>
  projecting.record(streamName('webhookEndpoint', endpointId), event, at);
const disable = (at: number) => endpoint(disabled, at);
const enable = (at: number) => endpoint(enabled, at);
const announce = (type: PublicEventType = 'scan.completed', workspace = workspaceId) => {
  const event = { id: derivedId('event', type), type, creatorId: derivedId('creator', 'mia'), bytes: '{}' };
  const cause = { eventId: 'cause', stream: streamName('scan', 'one'), revision: 0 };
  return projecting.record(streamName('eventFeed', workspace), publish(event, cause), 5);
};
const spans = () => {
  const queries = { execute: async () => ({ workspaceId }) } as unknown as QueryBus;
  return new ListDisabledSpansHandler(projecting.readModel, queries).execute(new ListDisabledSpans(order.agencyId));
};

it('has the times in which an endpoint was disabled, with what was published in them', async () => {
  await announce();
  expect(await spans()).toEqual([]);
  await endpoint(registered, 10);
  await announce();
  await disable(20);
  expect(await spans()).toEqual([]);
  await announce();
  await announce('scan.completed', derivedId('workspace', 'another'));
  expect(await spans()).toEqual([{ endpointId, from: 20, to: null, count: 1 }]);
  await announce();
  await enable(30);
  await announce();
  expect(await spans()).toEqual([{ endpointId, from: 20, to: 30, count: 2 }]);
  await disable(40);
  await announce();
  expect(await spans()).toEqual([
    { endpointId, from: 40, to: null, count: 1 },
    { endpointId, from: 20, to: 30, count: 2 },
  ]);
});

it('D104: counts only the event types that the endpoint takes', async () => {
  await endpoint(registered, 10);
  await endpoint({ type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types: ['case.created'] } }, 15);
  await disable(20);
  await announce('scan.completed');
  await announce('case.created');
  expect(await spans()).toMatchObject([{ count: 1 }]);
});

it('keeps the latest hundred that have ended', async () => {
  await endpoint(registered, 10);
  for (let at = 20; at < 20 + 202; at += 2) {
    await disable(at);
    await announce();
    await enable(at + 1);
  }
  const kept = await spans();
  expect(kept).toHaveLength(100);
  expect([kept.at(0)?.from, kept.at(-1)?.from]).toEqual([220, 22]);
});
