import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENT_FEED } from '#event-feed';
import {
  type AgencyId,
  agencyId,
  CommandRunner,
  type DomainEvent,
  derivedId,
  type Instant,
  newEventId,
  type Position,
  type PublicEventId,
  type RecordedEvent,
  type StreamName,
  streamId,
  streamName,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import { collectionName, type DeadLetterList, ProjectionEngine, ReadModel } from '#projections';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { WebhookDeliveryRepository } from '../application/repositories.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { deliveryIdOf, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import { EndpointList, endpointListProjection } from '../read-models/endpoint-list.js';
import { type FailingEndpoints, WebhookScheduling } from './webhook-scheduling.js';

const lumen = agencyId('ag_lumen');
const nova = agencyId('ag_nova');
const [first, second] = [derivedId('webhookEndpoint', 1), derivedId('webhookEndpoint', 2)];
const workspaceOf = (agency: AgencyId) => derivedId('workspace', agency);

let log: InMemoryEventLog;
let documents: InMemoryDocumentStore;
/** The endpoints that the process has had judged. */
let judgements: (readonly [WebhookEndpointId, Instant])[];
/** Whether the list of endpoints has all of their events. */
let isComplete: boolean;
let causesRead: string[];
let agenciesRead: string[];

beforeEach(async () => {
  log = new InMemoryEventLog();
  documents = new InMemoryDocumentStore();
  judgements = [];
  causesRead = [];
  agenciesRead = [];
  isComplete = true;
  const readStream = log.readStream.bind(log);
  log.readStream = (stream, options) => {
    if (stream.startsWith('scan-')) causesRead.push(streamId(stream));
    if (stream.startsWith('agency-')) agenciesRead.push(streamId(stream));
    return readStream(stream, options);
  };
});

const happened = (
  stream: StreamName,
  { type, data }: DomainEvent,
  at: Instant = 1_000,
  workspaceId: WorkspaceId | null = null,
) => {
  const metadata = { at, correlationId: 'req', causationId: null, actor: 'test', workspaceId };
  return log.append(stream, 'any', [{ id: newEventId(), type, data, metadata }]);
};
const register = (endpointId: WebhookEndpointId, agency = lumen, epoch = 1) =>
  happened(streamName('webhookEndpoint', endpointId), {
    type: 'webhookEndpoint.registered.v2',
    data: {
      endpointId,
      agencyId: agency,
      workspaceId: workspaceOf(agency),
      epoch,
      url: 'https://hooks.example/',
      encryptedSecret: 'encrypted',
    },
  });
const disable = (endpointId: WebhookEndpointId, agency?: AgencyId) =>
  happened(
    streamName('webhookEndpoint', endpointId),
    { type: 'webhookEndpoint.disabled.v1', data: { endpointId, reason: 'operator', failingSince: null } },
    undefined,
    agency && workspaceOf(agency),
  );
const enable = (endpointId: WebhookEndpointId) =>
  happened(streamName('webhookEndpoint', endpointId), { type: 'webhookEndpoint.enabled.v1', data: { endpointId } });
const fail = (endpointId: WebhookEndpointId, at: Instant, as = 'attemptFailed') => {
  const data = { endpointId, attempt: 1, status: 500, error: 'refused', nextAttemptAt: at };
  const delivery = streamName('webhookDelivery', derivedId('webhookDelivery', at));
  return happened(delivery, { type: `webhookDelivery.${as}.v1`, data }, at);
};
const rebind = (agency = lumen) =>
  happened(streamName('agency', agency), { type: 'agency.rebound.v1', data: { epoch: 2, ownerUserId: 'another' } });
const eventOf = (name: string): PublicEventId => derivedId('event', name);
/** It has happened, and is not published yet. */
const cause = (name: string) => happened(streamName('scan', name), { type: 'scan.completed.v1', data: {} });
const announce = (name: string, agency = lumen, retry?: object) =>
  happened(streamName(EVENT_FEED, workspaceOf(agency)), {
    type: 'eventFeed.eventPublished.v1',
    data: {
      eventId: eventOf(name),
      eventType: 'scan.completed',
      creatorId: derivedId('creator', 'mia'),
      cause: { eventId: 'cause', stream: streamName('scan', name), revision: 0 },
      ...(retry && { retry }),
      personal: { bytes: `{"id":"${eventOf(name)}"}` },
    },
  });

const publish = async (name: string, agency = lumen) => {
  await cause(name);
  await announce(name, agency);
};

const COLLECTION = collectionName(endpointListProjection, 1);
/** Brings the list of endpoints up to a position; it never goes back. */
const project = async (to: Position) => {
  await documents.ensure([{ name: COLLECTION, indexes: endpointListProjection.indexes }]);
  const engine = new ProjectionEngine([{ projection: endpointListProjection, collection: COLLECTION }]);
  const { events } = await log.readLog({ after: 0, limit: 10_000 });
  await documents.write(
    await engine.project(
      documents,
      events.filter(({ position }) => position <= to),
    ),
  );
};

/** As a runner that takes over at the checkpoint would, with pages of that size; the list may have passed them long ago. */
const run = async ({
  after = 0 as Position,
  limit = 1_000,
  pages = Number.POSITIVE_INFINITY,
  isListAhead = true,
} = {}) => {
  const judge: FailingEndpoints['judge'] = async (id, at) => void judgements.push([id, at]);
  const process = new WebhookScheduling(
    new WebhookDeliveryRepository(new CommandRunner(log, new FakeClock())),
    new EndpointList(new ReadModel(endpointListProjection, documents, { of: async () => COLLECTION })),
    { isComplete: async () => isComplete } as unknown as DeadLetterList,
    log,
    documents,
    { judge } as FailingEndpoints,
  );
  await process.takeOver();
  let from = after;
  for (let done = 0; done < pages; done++) {
    const page = await log.readLog({ after: from, limit, types: process.types });
    await project(isListAhead ? Number.POSITIVE_INFINITY : page.reached);
    await process.handle(page);
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

describe('a published event', () => {
  it('goes to each endpoint of the agency that was registered before, and to none that was registered later (spec 2)', async () => {
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

  it('needs no read of its agency again after a change of another one', async () => {
    await register(first);
    await register(second, nova);
    await publish('one', nova);
    await disable(first, lumen);
    await publish('two', nova);
    await disable(second, nova);
    await publish('three', nova);
    await run();
    expect(agenciesRead).toEqual([nova, nova]);
    expect(await deliveries()).toEqual([
      [second, eventOf('one')],
      [second, eventOf('two')],
    ]);
  });

  it('goes to no endpoint of another agency', async () => {
    await register(first, nova);
    await publish('of lumen');
    await run();
    expect(await deliveries()).toEqual([]);
  });

  it('goes to an endpoint that was disabled later, and to none that was disabled before', async () => {
    await register(first);
    await publish('before');
    await disable(first);
    await publish('after');
    await run();
    expect(await deliveries()).toEqual([[first, eventOf('before')]]);
  });

  it('D19: goes to no endpoint of an earlier binding', async () => {
    await register(first);
    await rebind();
    await register(second, lumen, 2);
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

describe('D84: only what was caused after the registration', () => {
  it('is received, however late it is published', async () => {
    await cause('before');
    await register(first);
    await cause('after');
    await announce('before');
    await announce('after');
    await run();
    expect(await deliveries()).toEqual([[first, eventOf('after')]]);
  });

  it('is received, even if an earlier cause that was set aside is published after it (D67)', async () => {
    await cause('before');
    await register(first);
    await publish('after');
    await announce('before', lumen, { eventId: 'retry', stream: 'setAside-x', revision: 1 });
    await run({ limit: 1 });
    expect(await deliveries()).toEqual([[first, eventOf('after')]]);
  });

  it('is found by reading causes only until one is later than the registration', async () => {
    await publish('unheard');
    await cause('before');
    await register(first);
    await announce('before');
    for (const name of ['one', 'two', 'three']) await publish(name);
    await run();
    expect(causesRead).toEqual(['before', 'one']);
  });

  it('is received with pages of any size, and after a takeover at any position', async () => {
    const action = fc.constantFrom('cause', 'announce', 'register', 'disable', 'enable');
    const histories = fc.array(action, { minLength: 5, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 10 }), fc.nat(9), fc.boolean(), async (...given) => {
        const [history, limit, pages, isListAhead] = given;
        log = new InMemoryEventLog();
        documents = new InMemoryDocumentStore();
        const waiting: string[] = [];
        const later = new Set<string>();
        const expected: (readonly [WebhookEndpointId, PublicEventId])[] = [];
        let state: 'none' | 'active' | 'disabled' = 'none';
        for (const [n, what] of history.entries()) {
          if (what === 'cause') {
            await cause(`c${n}`);
            waiting.push(`c${n}`);
            if (state !== 'none') later.add(`c${n}`);
          } else if (what === 'announce') {
            const name = waiting.shift();
            if (name === undefined) continue;
            await announce(name);
            if (state === 'active' && later.has(name)) expected.push([first, eventOf(name)]);
          } else if (what === 'register' && state === 'none') {
            await register(first);
            state = 'active';
          } else if (what === 'disable' && state === 'active') {
            await disable(first);
            state = 'disabled';
          } else if (what === 'enable' && state === 'disabled') {
            await enable(first);
            state = 'active';
          }
        }
        await run({ after: await run({ limit, pages, isListAhead }), limit, isListAhead });
        await run({ limit });
        expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 60 },
    );
  });
});

it('D82: an endpoint that is enabled again receives what is published from then on', async () => {
  await register(first);
  await disable(first);
  await cause('in between');
  await publish('while disabled');
  await enable(first);
  await announce('in between');
  await publish('after');
  await run();
  expect(await deliveries()).toEqual([
    [first, eventOf('in between')],
    [first, eventOf('after')],
  ]);
});

describe('D82: an endpoint with failed attempts', () => {
  it('is judged once, by the latest of them, also if that was the last of its delivery', async () => {
    await register(first);
    await register(second);
    await fail(first, 10);
    await fail(first, 20, 'exhausted');
    await fail(second, 30);
    const after = await run();
    expect(judgements).toEqual([
      [first, 20],
      [second, 30],
    ]);
    await publish('later');
    await run({ after });
    expect(judgements).toHaveLength(2);
  });
});

it('D67: schedules nothing for an agency whose list of endpoints lacks an event, and everything after that is repaired', async () => {
  await register(first);
  await publish('one');
  isComplete = false;
  await expect(run()).rejects.toThrow('webhook_endpoints');
  expect(await deliveries()).toEqual([]);
  isComplete = true;
  await run();
  expect(await deliveries()).toEqual([[first, eventOf('one')]]);
});

it('records in the delivery where the bytes are, and not the bytes (D58)', async () => {
  await register(first);
  await publish('one');
  await publish('two');
  await run();
  const id = deliveryIdOf(first, eventOf('two'));
  const stream = await log.readStream(streamName(webhookDeliveryDecider.category, id));
  expect(stream).toMatchObject([{ data: { workspaceId: workspaceOf(lumen), feedRevision: 1 } }]);
  expect(JSON.stringify(stream)).not.toContain('bytes');
});

describe('a repeat', () => {
  const story = async () => {
    await publish('one');
    await register(first);
    await publish('two');
    await rebind();
    await publish('three');
    await register(second, lumen, 2);
    await publish('four');
    await disable(second);
    await publish('five');
  };
  const expected = [
    [first, eventOf('two')],
    [second, eventOf('four')],
  ];

  it('in pages of any size, with a new runner after any of them, schedules the same', async () => {
    await story();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.nat(9), async (limit, pages) => {
        documents = new InMemoryDocumentStore();
        const reached = await run({ limit, pages, isListAhead: false });
        await run({ after: reached, limit });
        expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  it('of a page schedules nothing for an endpoint that was registered after it', async () => {
    await story();
    await run();
    await run();
    expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
  });

  it('of the whole log, with all documents lost, schedules nothing again', async () => {
    await story();
    await run();
    const before = await log.head();
    documents = new InMemoryDocumentStore();
    await run();
    expect(await log.head()).toBe(before);
  });
});
