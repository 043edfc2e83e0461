import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_FEED } from '#event-feed';
import {
  DAY,
  type DomainEvent,
  derivedId,
  LanePositions,
  newEventId,
  type StreamName,
  streamName,
  type WebhookDeliveryId,
} from '#kernel';
import { firstIdAt } from '../../../event-feed/src/domain/public-event.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { deliveryIdOf, type WebhookDeliveryEvent, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { disabled, endpointId, registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { AdvanceReplay, EndReplay, GetReplay, ReplayDelivery, RequestReplay } from './replays.js';

const { agencyId, workspaceId } = scope;
const creatorId = derivedId('creator', 'mia');
/** How many of its deliveries are pending at most. */
const MOST = 200;

let service: TestedContext;
let ids: WebhookDeliveryId[];
let isCaughtUp: boolean;
/** The work of others while the replay waits for the read models. */
let othersDo: () => Promise<unknown>;

const aProcess = (shared: Partial<TestedContext> = {}) => {
  const progress: Pick<LanePositions, 'waitForPosition'> = { waitForPosition: () => othersDo().then(() => isCaughtUp) };
  return testedContext([WebhooksModule], [given(LanePositions, progress as LanePositions)], shared);
};

beforeEach(async () => {
  isCaughtUp = true;
  othersDo = async () => undefined;
  service = await aProcess();
  ids = [];
  await endpointDid({ type: 'webhookEndpoint.registered.v2', data: { ...registration, agencyId, workspaceId } });
});

const endpointDid = (event: WebhookEndpointEvent) =>
  service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);
const append = (stream: StreamName, at: number, ...events: readonly DomainEvent[]) => {
  const metadata = { at, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return service.log.append(
    stream,
    'any',
    events.map(({ type, data }) => ({ id: newEventId(), type, data, metadata })),
  );
};
const delivered = (attempt: number): WebhookDeliveryEvent => ({
  type: 'webhookDelivery.delivered.v1',
  data: { endpointId, attempt, status: 200, error: null },
});
const exhausted: WebhookDeliveryEvent = {
  type: 'webhookDelivery.exhausted.v1',
  data: { endpointId, attempt: 5, status: 503, error: 'refused' },
};

/** Publishes an event, with its delivery and what has happened to it. */
const publish = async (...past: readonly WebhookDeliveryEvent[]): Promise<WebhookDeliveryId> => {
  const feedRevision = ids.length;
  const at = feedRevision + 1;
  const eventId = firstIdAt(at);
  const cause = { eventId: 'cause', stream: streamName('scan', '1'), revision: 0 };
  await append(streamName(EVENT_FEED, workspaceId), at, {
    type: 'eventFeed.eventPublished.v1',
    data: { eventId, eventType: 'scan.completed', creatorId, cause, personal: { bytes: '{}' } },
  });
  const deliveryId = deliveryIdOf(endpointId, eventId);
  const order = { deliveryId, endpointId, agencyId, creatorId, eventId, workspaceId, feedRevision } as const;
  const scheduled = { type: 'webhookDelivery.scheduled.v1', data: { ...order, eventType: 'scan.completed' } };
  await append(streamName('webhookDelivery', deliveryId), at, scheduled, ...past);
  ids.push(deliveryId);
  return deliveryId;
};

const request = async (filter: RequestReplay['filter'] = {}) => {
  await service.project();
  return service.commands.execute(new RequestReplay(endpointId, filter, contextOf()));
};
const advance = async (leader = service) => {
  await leader.project();
  return leader.commands.execute(new AdvanceReplay(endpointId, contextOf()));
};
const replay = () => service.queries.execute(new GetReplay(endpointId, agencyId));
const states = async () =>
  (await service.runner.loadAll(webhookDeliveryDecider, ids)).map(({ state }) =>
    state.status === 'unknown' ? undefined : state,
  );
const pending = async () => (await states()).flatMap((one) => (one?.status === 'pending' ? [one] : []));
/** Delivers all that is pending, as a dispatcher does. */
const deliverAll = async () => {
  for (const { deliveryId, attempts } of await pending()) {
    await append(streamName('webhookDelivery', deliveryId), 1, delivered(attempts + 1));
  }
};
const timesReplayed = () =>
  Promise.all(
    ids.map(
      async (id) =>
        (await service.typesOf(streamName('webhookDelivery', id))).filter((type) => type.includes('replayRequested'))
          .length,
    ),
  );

it('makes at most 200 of its deliveries pending, and goes on as they are delivered', async () => {
  for (let n = 0; n < MOST + 30; n++) await publish(delivered(1));
  expect(await request()).toMatchObject({ status: 'running', total: { count: MOST + 30, isMore: false } });
  await advance();
  expect(await pending()).toHaveLength(MOST);
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
  expect(await pending()).toHaveLength(MOST);
  expect(await replay()).toMatchObject({ status: 'running', replayed: MOST });
  await publish();
  await deliverAll();
  await advance();
  expect(await replay()).toMatchObject({ status: 'ended', reason: 'completed', replayed: MOST + 30 });
  // The event that was published since is no part of it.
  expect(await timesReplayed()).toEqual([...Array.from({ length: MOST + 30 }, () => 1), 0]);
});

it('does not wait for deliveries that are pending without it', async () => {
  const attemptFailed: WebhookDeliveryEvent = {
    type: 'webhookDelivery.attemptFailed.v1',
    data: { endpointId, attempt: 1, status: 503, error: 'refused', nextAttemptAt: DAY },
  };
  for (let n = 0; n < MOST; n++) await publish(attemptFailed);
  await publish(exhausted);
  await request({ status: 'failed' });
  await advance();
  expect(await replay()).toMatchObject({ status: 'ended', reason: 'completed', replayed: 1 });
  expect(await pending()).toHaveLength(MOST + 1);
});

it('D89: while it waits, it reads its own deliveries, not all that are pending for the endpoint', async () => {
  for (let n = 0; n < MOST + 1; n++) await publish(delivered(1));
  await request();
  await advance();
  await service.project();
  const read: unknown[] = [];
  const find = service.documents.find.bind(service.documents);
  service.documents.find = async (collection, query) => {
    const found = await find<never>(collection, query);
    read.push(...found);
    return found;
  };
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
  expect(read).toEqual([]);
});

it('counts what other leaders have made pending, before its term and between two of them', async () => {
  for (let n = 0; n < 2 * MOST + 1; n++) await publish(delivered(1));
  await request();
  await advance();
  const { log, documents, clock } = service;
  const other = await aProcess({ log, documents, clock });
  expect(await advance(other)).toMatchObject({ retryAt: expect.any(Number) });
  await deliverAll();
  expect(await advance(other)).toBe('done');
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
  expect(await pending()).toHaveLength(MOST);
});

it('counts what a step has replayed that failed', async () => {
  for (let n = 0; n < MOST + 1; n++) await publish(delivered(1));
  await request();
  await advance();
  await append(streamName('webhookDelivery', ids.at(-1) ?? ''), 1, delivered(2));
  const { append: toLog } = service.log;
  service.log.append = (stream, ...rest) => {
    if (stream.startsWith('webhookReplay-')) throw new Error('the step cannot be recorded');
    return toLog.call(service.log, stream, ...rest);
  };
  await expect(advance()).rejects.toThrow('the step cannot be recorded');
  service.log.append = toLog;
  expect(await pending()).toHaveLength(MOST);
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
});

it('killed before it has recorded a page, it replays none of its deliveries again', async () => {
  for (let n = 0; n < 3; n++) await publish(delivered(1));
  const { number } = await request();
  // All that the page has done before the kill: two of its three deliveries, one of which has been sent since.
  for (const id of ids.slice(1)) await service.commands.execute(new ReplayDelivery(id, contextOf(), number));
  await append(streamName('webhookDelivery', ids[1] ?? ''), 1, delivered(2));
  await advance();
  expect(await timesReplayed()).toEqual([1, 1, 1]);
  expect((await states()).map((one) => one?.status)).toEqual(['pending', 'delivered', 'pending']);
  expect(await replay()).toMatchObject({ status: 'ended', reason: 'completed', replayed: 3 });
  await deliverAll();
  await request();
  await advance();
  expect(await timesReplayed()).toEqual([2, 2, 2]);
});

it.each<[string, RequestReplay['filter'], number]>([
  ['failed', { status: 'failed' }, 1],
  ['undelivered', { undelivered: true }, 2],
])('takes only those that are %s, and leaves pending ones as they are', async (_, filter, total) => {
  await publish(exhausted);
  await publish(delivered(1));
  await publish();
  expect(await request(filter)).toMatchObject({ total: { count: total } });
  await advance();
  expect(await timesReplayed()).toEqual([1, 0, 0]);
  expect(await replay()).toMatchObject({ status: 'ended', replayed: total });
});

it.each<[string, WebhookEndpointEvent | undefined, string]>([
  ['its owner', undefined, 'ended_by_person'],
  ['the end of its endpoint', disabled, 'endpoint_disabled'],
])('is ended by %s', async (_, event, reason) => {
  await publish(delivered(1));
  await request();
  if (event === undefined) await service.commands.execute(new EndReplay(endpointId, contextOf()));
  else await endpointDid(event);
  await advance();
  expect(await replay()).toMatchObject({ status: 'ended', reason, replayed: 0 });
  expect(await timesReplayed()).toEqual([0]);
});

it('D19: is ended by the next binding of the agency', async () => {
  await publish(delivered(1));
  await request();
  await service.rebind();
  expect(await advance()).toBe('done');
  expect(await replay()).toMatchObject({ status: 'ended', reason: 'access_revoked', replayed: 0 });
  await expect(request()).rejects.toMatchObject({ code: 'agency_key_reissue_required' });
  await endpointDid(disabled);
  await expect(request()).rejects.toMatchObject({ code: 'invalid_request' });
});

it('waits for the read models, from which it takes its pages', async () => {
  await publish(delivered(1));
  await request();
  isCaughtUp = false;
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
  expect(await timesReplayed()).toEqual([0]);
});

it('waits again for the read models where another replay was requested while it waited', async () => {
  await publish(delivered(1));
  await request();
  othersDo = async () => {
    await service.commands.execute(new EndReplay(endpointId, contextOf()));
    await request();
  };
  expect(await advance()).toMatchObject({ retryAt: expect.any(Number) });
  expect(await timesReplayed()).toEqual([0]);
});

it('replays nothing that was ended while it waited for the read models', async () => {
  await publish(delivered(1));
  await request();
  othersDo = () => service.commands.execute(new EndReplay(endpointId, contextOf()));
  expect(await advance()).toBe('idle');
  expect(await timesReplayed()).toEqual([0]);
  expect(await replay()).toMatchObject({ status: 'ended', reason: 'ended_by_person', replayed: 0 });
});

describe('D62: the replay of one delivery', () => {
  const replayed = (id: WebhookDeliveryId) => service.commands.execute(new ReplayDelivery(id, contextOf()));

  it('makes a settled one pending', async () => {
    expect(await replayed(await publish(delivered(1)))).toMatchObject({ status: 'pending', attemptsBefore: 1 });
  });

  it('is refused where the endpoint is disabled, and for an unknown one, and records nothing', async () => {
    await publish(delivered(1));
    await publish();
    await endpointDid(disabled);
    const head = await service.log.head();
    for (const id of ids) await expect(replayed(id)).rejects.toMatchObject({ code: 'invalid_request' });
    const unknown = derivedId('webhookDelivery', 'unknown');
    await expect(replayed(unknown)).rejects.toMatchObject({ code: 'not_found' });
    expect(await service.log.head()).toBe(head);
  });
});
