import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InMemoryDocumentStore } from '#document-store';
import { InMemoryEventLog } from '#event-log';
import {
  type AgencyId,
  agencyId,
  CommandRunner,
  type DomainEvent,
  derivedId,
  newEventId,
  type Position,
  type PublicEventId,
  type RecordedEvent,
  type StreamName,
  streamName,
  type WebhookEndpointId,
} from '#kernel';
import { EVENT_FEED } from '#publishing';
import { FakeClock } from '#testing';
import { deliveryIdOf, type WebhookDeliveryEvent, webhookDeliveryDecider } from '#webhooks';
import { WebhookScheduling } from './webhook-scheduling.js';
import { WEBHOOK_TARGETS } from './webhook-targets.js';

const lumen = agencyId('ag_lumen');
const nova = agencyId('ag_nova');
const [first, second] = [derivedId('webhookEndpoint', 1), derivedId('webhookEndpoint', 2)];
const workspaceOf = (agency: AgencyId) => derivedId('workspace', agency);

let log: InMemoryEventLog;
let documents: InMemoryDocumentStore;

beforeEach(async () => {
  log = new InMemoryEventLog();
  documents = new InMemoryDocumentStore();
  await documents.ensure([WEBHOOK_TARGETS]);
});

const happened = (stream: StreamName, { type, data }: DomainEvent) => {
  const metadata = { at: 1_000, correlationId: 'req', causationId: null, actor: 'test', workspaceId: null };
  return log.append(stream, 'any', [{ id: newEventId(), type, data, metadata }]);
};
const register = (endpointId: WebhookEndpointId, agency = lumen) =>
  happened(streamName('webhookEndpoint', endpointId), {
    type: 'webhookEndpoint.registered.v1',
    data: {
      endpointId,
      agencyId: agency,
      workspaceId: workspaceOf(agency),
      epoch: 1,
      url: 'https://hooks.example/',
      sealedSecret: 'sealed',
    },
  });
const disable = (endpointId: WebhookEndpointId) =>
  happened(streamName('webhookEndpoint', endpointId), {
    type: 'webhookEndpoint.disabled.v1',
    data: { endpointId, reason: 'operator', failingSince: null },
  });
const rebind = (agency = lumen) =>
  happened(streamName('agency', agency), { type: 'agency.rebound.v1', data: { epoch: 2, ownerUserId: 'another' } });
const eventOf = (name: string): PublicEventId => derivedId('event', name);
const publish = (name: string, agency = lumen) =>
  happened(streamName(EVENT_FEED, workspaceOf(agency)), {
    type: 'eventFeed.eventPublished.v1',
    data: {
      eventId: eventOf(name),
      eventType: 'scan.completed',
      creatorId: derivedId('creator', 'mia'),
      cause: { eventId: 'cause', stream: 'scan-1', revision: 0 },
      personal: { bytes: `{"id":"${eventOf(name)}"}` },
    },
  });

/** As a runner that takes over at the checkpoint would, with pages of that size; what it notes is stored after each. */
const run = async ({
  after = 0 as Position,
  limit = 1_000,
  store = documents,
  pages = Number.POSITIVE_INFINITY,
} = {}) => {
  const process = new WebhookScheduling(new CommandRunner(log, new FakeClock()), store);
  await process.takeOver();
  let from = after;
  for (let done = 0; done < pages; done++) {
    const page = await log.readLog({ after: from, limit, types: process.types });
    await store.write(await process.handle(page));
    from = page.reached;
    if (page.atEnd) break;
  }
  return from;
};

/** Each delivery as its endpoint's and its event's ids, in the order of the log. */
const deliveries = async (): Promise<(readonly [WebhookEndpointId, PublicEventId])[]> => {
  const { events } = await log.readLog({ after: 0, limit: 10_000, types: new Set(['webhookDelivery.scheduled.v1']) });
  type Scheduled = RecordedEvent<Extract<WebhookDeliveryEvent, { type: 'webhookDelivery.scheduled.v1' }>>;
  return (events as Scheduled[]).map(({ data }) => [data.endpointId, data.eventId] as const);
};

describe('who is told of a published event', () => {
  it('each endpoint of the agency that was registered before, and none that was registered later (spec 2)', async () => {
    await publish('before');
    await register(first);
    await publish('between');
    await register(second);
    await publish('after');
    await run();
    expect(await deliveries()).toEqual([
      [first, eventOf('between')],
      [first, eventOf('after')],
      [second, eventOf('after')],
    ]);
  });

  it('no endpoint of another agency', async () => {
    await register(first, nova);
    await publish('of lumen');
    await run();
    expect(await deliveries()).toEqual([]);
  });

  it('none that was disabled before, and one that was disabled later still', async () => {
    await register(first);
    await publish('before');
    await disable(first);
    await publish('after');
    await run();
    expect(await deliveries()).toEqual([[first, eventOf('before')]]);
  });

  it('D19: none of an earlier binding', async () => {
    await register(first);
    await rebind();
    await register(second);
    await publish('under the new binding');
    await rebind(nova);
    await publish('another');
    await run();
    expect(await deliveries()).toEqual([
      [second, eventOf('under the new binding')],
      [second, eventOf('another')],
    ]);
  });
});

it('keeps in the delivery where the bytes are, and not the bytes (D58)', async () => {
  await register(first);
  await publish('one');
  await publish('two');
  await run();
  const id = deliveryIdOf(first, eventOf('two'));
  const stream = await log.readStream(streamName(webhookDeliveryDecider.category, id));
  expect(stream).toMatchObject([{ data: { workspaceId: workspaceOf(lumen), feedRevision: 1 } }]);
  expect(JSON.stringify(stream)).not.toContain('bytes');
});

describe('whatever is repeated', () => {
  const story = async () => {
    await publish('one');
    await register(first);
    await publish('two');
    await rebind();
    await publish('three');
    await register(second);
    await publish('four');
    await disable(second);
    await publish('five');
  };
  const expected = [
    [first, eventOf('two')],
    [second, eventOf('four')],
  ];

  it('pages of any size, with a new runner after any of them, schedule the same', async () => {
    await story();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.nat(9), async (limit, pages) => {
        documents = new InMemoryDocumentStore();
        await documents.ensure([WEBHOOK_TARGETS]);
        const reached = await run({ limit, pages });
        await run({ after: reached, limit });
        expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('a page whose notes were kept and whose checkpoint was not tells nobody of what came before him', async () => {
    await story();
    await run();
    await run();
    expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
  });

  it('history read from the beginning, with all documents lost, schedules nothing anew', async () => {
    await story();
    await run();
    const before = await log.head();
    const lost = new InMemoryDocumentStore();
    await lost.ensure([WEBHOOK_TARGETS]);
    await run({ store: lost });
    expect(await log.head()).toBe(before);
  });
});
