import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PublicEventType } from '#event-feed';
import { newEventId, type Position, streamName } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import type { ChosenTypes, WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { endpointId, registration, workspaceId } from '../webhook.fixtures.js';
import { WEBHOOK_TARGETS, WebhookTargets } from './webhook-targets.js';

let documents: InMemoryDocumentStore;
let targets: WebhookTargets;

beforeEach(async () => {
  documents = new InMemoryDocumentStore();
  await documents.ensure([WEBHOOK_TARGETS]);
  targets = new WebhookTargets(documents);
});

const happened = (position: Position, { type, data }: WebhookEndpointEvent) => {
  const metadata = { at: 0, correlationId: 'req', causationId: null, actor: 'test', workspaceId };
  const stream = streamName('webhookEndpoint', endpointId);
  const recorded = { id: newEventId(), type, data, stream, revision: position, position, metadata };
  targets.apply(recorded as Parameters<WebhookTargets['apply']>[0]);
};
const register = (position: Position, types?: ChosenTypes) =>
  happened(position, {
    type: 'webhookEndpoint.registered.v2',
    data: { ...registration, ...(types !== undefined && { types }) },
  });
const choose = (position: Position, types: ChosenTypes) =>
  happened(position, { type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types } });

/** Whether the endpoint gets an event of the type that is published at each of the positions. */
const gets = (type: PublicEventType, ...positions: Position[]) =>
  positions.map((position) => targets.at(workspaceId, position, type).length === 1);

describe('D104: an endpoint that names event types', () => {
  beforeEach(() => {
    register(1, ['case.created']);
    choose(10, ['case.created', 'scan.completed']);
    choose(20, ['scan.failed']);
    choose(30, null);
  });

  it('gets those that are published while it names their type', () => {
    expect(gets('case.created', 5, 15, 25, 35)).toEqual([true, true, false, true]);
    expect(gets('scan.completed', 5, 15, 25, 35)).toEqual([false, true, false, true]);
  });

  it('has the same types at each position after a restart, and if its page is handled again', async () => {
    await documents.write(targets.writes());
    targets = new WebhookTargets(documents);
    await targets.load();
    choose(10, ['case.created', 'scan.completed']);
    choose(20, ['scan.failed']);
    expect(gets('case.created', 5, 15, 25, 35)).toEqual([true, true, false, true]);
    expect(targets.writes()).toEqual([]);
  });
});

it('an endpoint without names gets all types, also one that an earlier build has registered', () => {
  register(1);
  expect(gets('case.created', 5)).toEqual([true]);
  choose(10, ['scan.failed']);
  expect(gets('case.created', 5, 15)).toEqual([true, false]);
});

it('keeps the latest changes of an endpoint, so that somebody who goes on changing it makes no document that grows', () => {
  register(1);
  const size = () => JSON.stringify(targets.writes()).length;
  const changeUntil = (position: Position, first: Position) => {
    for (let next = first; next < position; next += 4) {
      happened(next, {
        type: 'webhookEndpoint.disabled.v1',
        data: { endpointId, reason: 'operator', failingSince: null },
      });
      happened(next + 1, { type: 'webhookEndpoint.enabled.v1', data: { endpointId } });
      choose(next + 2, ['case.created']);
      choose(next + 3, ['scan.failed']);
    }
  };
  changeUntil(5_002, 1_002);
  const before = size();
  changeUntil(9_002, 5_002);
  expect(size()).toBe(before);
  expect(gets('scan.failed', 8_997.5, 9_002)).toEqual([true, true]);
  expect(gets('scan.failed', 8_998.5, 9_000.5)).toEqual([false, false]);
});
