import { beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_FEED, type PublicEventType } from '#event-feed';
import {
  type DomainEvent,
  derivedId,
  newEventId,
  type PublicEventId,
  type StreamName,
  streamName,
  type WebhookDeliveryId,
} from '#kernel';
import { firstIdAt } from '../../../event-feed/src/domain/public-event.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { deliveryIdOf, type WebhookDeliveryEvent, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { type DeliverySearch, SearchDeliveries } from './search-deliveries.js';

const { agencyId, workspaceId } = scope;
const one = derivedId('webhookEndpoint', 'one');
const two = derivedId('webhookEndpoint', 'two');
const foreign = derivedId('webhookEndpoint', 'foreign');
const [mia, zoe] = [derivedId('creator', 'mia'), derivedId('creator', 'zoe')];

let service: TestedContext;
let published: number;

const append = (stream: StreamName, { type, data }: DomainEvent) => {
  const metadata = { at: published, correlationId: 'c', causationId: null, actor: 'test', workspaceId };
  return service.log.append(stream, 'any', [{ id: newEventId(), type, data, metadata }]);
};
const happened = (endpointId: typeof one, event: WebhookEndpointEvent) =>
  service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);
const delivery = (id: WebhookDeliveryId, event: WebhookDeliveryEvent) =>
  service.runner.run(webhookDeliveryDecider, id, contextOf(), () => [event]);
const register = (endpointId: typeof one, of = agencyId) =>
  happened(endpointId, {
    type: 'webhookEndpoint.registered.v2',
    data: { ...registration, endpointId, agencyId: of, workspaceId },
  });

interface Given {
  readonly to?: readonly (typeof one)[];
  readonly type?: PublicEventType;
  readonly creatorId?: typeof mia;
  readonly ends?: 'delivered' | 'exhausted';
  readonly status?: number | null;
  readonly error?: string | null;
  readonly agency?: typeof agencyId;
}

/** Publishes an event at the next time, with deliveries to these endpoints, and their attempt where there was one. */
const publish = async ({ to = [one], type = 'scan.completed', creatorId = mia, ends, ...given }: Given = {}) => {
  published += 10;
  const eventId = firstIdAt(published);
  const cause = { eventId: 'cause', stream: streamName('scan', '1'), revision: 0 };
  await append(streamName(EVENT_FEED, workspaceId), {
    type: 'eventFeed.eventPublished.v1',
    data: { eventId, eventType: type, creatorId, cause, personal: { bytes: '{}' } },
  });
  const feedRevision = published / 10 - 1;
  for (const endpointId of to) {
    const deliveryId = deliveryIdOf(endpointId, eventId);
    const order = { deliveryId, endpointId, agencyId: given.agency ?? agencyId, creatorId, eventId, workspaceId };
    const data = { ...order, eventType: type, feedRevision };
    await delivery(deliveryId, { type: 'webhookDelivery.scheduled.v1', data });
    const { status = 200, error = null } = given;
    const attempted = { endpointId, attempt: 1, status, error };
    if (ends === undefined) continue;
    await delivery(deliveryId, { type: `webhookDelivery.${ends}.v1`, data: attempted });
  }
  return eventId;
};

const search = (
  filter: DeliverySearch = {},
  { limit = 10, after = undefined as string | undefined, most = 2_000 } = {},
) => service.queries.execute(new SearchDeliveries(agencyId, filter, limit, after, most));
/** The times of the events of what is found. */
const found = async (filter: DeliverySearch = {}) =>
  (await search(filter)).deliveries.map(({ feedRevision }) => (feedRevision + 1) * 10);

beforeEach(async () => {
  service = await testedContext([WebhooksModule]);
  published = 0;
  await register(one);
  await register(two);
});

describe('a search', () => {
  let third: PublicEventId;
  beforeEach(async () => {
    await publish({ ends: 'delivered' });
    await publish({ type: 'case.created', creatorId: zoe, ends: 'exhausted', status: 503, error: 'refused' });
    third = await publish({ to: [two] });
    await publish({ creatorId: zoe, ends: 'exhausted', status: null, error: 'timeout' });
    await publish({ to: [] });
    await service.project();
  });

  it.each([
    ['nothing', {}, [40, 30, 20, 10]],
    ['a status', { status: 'failed' }, [40, 20]],
    ['an endpoint', { endpointId: two }, [30]],
    ['an endpoint and a status', { endpointId: one, status: 'delivered' }, [10]],
    ['a type', { eventType: 'case.created' }, [20]],
    ['a creator', { creatorId: zoe }, [40, 20]],
    ['a creator and a type', { creatorId: zoe, eventType: 'scan.completed' }, [40]],
    ['a type and an endpoint', { eventType: 'scan.completed', endpointId: two }, [30]],
    ['the status of an answer', { answer: '503' }, [20]],
    ['a class of answers', { answer: '5xx' }, [20]],
    ['the class of an error', { answer: 'timeout' }, [40]],
    ['an answer of 2xx', { answer: '200' }, [10]],
    ['the class of the answers that deliver', { answer: '2xx' }, [10]],
    ['a time', { from: 20, to: 30 }, [30, 20]],
    ['a time of an endpoint', { endpointId: one, from: 11 }, [40, 20]],
    ['a time of a type', { eventType: 'scan.completed', to: 30 }, [30, 10]],
    ['what is undelivered', { undelivered: true }, [40, 30, 20]],
    ['what is undelivered of a type', { undelivered: true, eventType: 'scan.completed' }, [40, 30]],
  ] as const)('finds by %s, newest first', async (_, filter, times) => {
    expect(await found(filter)).toEqual(times);
  });

  it('finds by an event, and nothing by an unknown one', async () => {
    expect(await found({ eventId: third })).toEqual([30]);
    expect(await found({ eventId: third, endpointId: one })).toEqual([]);
    expect(await found({ eventId: firstIdAt(31) })).toEqual([]);
  });

  it('leaves out of the undelivered what was for an endpoint that is disabled', async () => {
    const data = { endpointId: one, reason: 'operator', failingSince: null } as const;
    await happened(one, { type: 'webhookEndpoint.disabled.v1', data });
    await service.project();
    expect(await found({ undelivered: true })).toEqual([30]);
    expect(await found()).toEqual([40, 30, 20, 10]);
  });
});

it.each([[{}], [{ endpointId: one }], [{ eventType: 'scan.completed' }], [{ status: 'pending' }]] as const)(
  'pages by %j have each delivery once, also several of one event',
  async (filter) => {
    for (let n = 0; n < 5; n++) await publish({ to: [one, two] });
    await service.project();
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const { deliveries, next, isCutOff } = await search(filter, { limit: 3, after });
      seen.push(...deliveries.map(({ id }) => id));
      expect(isCutOff).toBe(false);
      if (next === null) break;
      after = next.id;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength('endpointId' in filter ? 5 : 10);
  },
);

it.each([
  ['an index', { answer: '503' }],
  ['the feed', { eventType: 'scan.completed', answer: '503' }],
] as const)('stops along %s at the bound, says how far it has come, and goes on from there', async (_, filter) => {
  await publish({ ends: 'exhausted', status: 503, error: 'refused' });
  for (let n = 0; n < 6; n++) await publish();
  await service.project();
  const first = await search(filter, { most: 4 });
  expect(first).toMatchObject({ deliveries: [], isCutOff: true, next: { at: expect.any(Number) } });
  let { next } = first;
  const all = [];
  while (next !== null) {
    const more = await search(filter, { most: 4, after: next.id });
    all.push(...more.deliveries);
    next = more.next;
  }
  expect(all).toHaveLength(1);
});

it('shows nothing of another agency, and refuses its cursors', async () => {
  await register(foreign, 'ag_other' as typeof agencyId);
  const eventId = await publish({ to: [foreign], agency: 'ag_other' as typeof agencyId });
  await service.project();
  for (const filter of [{}, { endpointId: foreign }, { creatorId: mia }, { eventId }])
    expect(await found(filter)).toEqual([]);
  expect(await search({ endpointId: foreign }, { most: 1 })).toEqual({ deliveries: [], next: null, isCutOff: false });
  for (const after of [deliveryIdOf(foreign, eventId), 'evt_none', '']) {
    await expect(search({}, { after })).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

it('finds what the replay of one endpoint has made pending', async () => {
  const eventId = await publish({ to: [one, two], ends: 'delivered' });
  await publish({ to: [one] });
  for (const [endpointId, replay] of [
    [one, 2],
    [two, 2],
  ] as const) {
    const event = { type: 'webhookDelivery.replayRequested.v1', data: { endpointId, replay } } as const;
    await delivery(deliveryIdOf(endpointId, eventId), event);
  }
  await service.project();
  const ids = async (number: number) =>
    (await search({ status: 'pending', replay: { endpointId: one, number } })).deliveries.map(({ id }) => id);
  expect(await ids(2)).toEqual([deliveryIdOf(one, eventId)]);
  expect(await ids(1)).toEqual([]);
});
