import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import fc from 'fast-check';
import { EVENT_FEED } from '#event-feed';
import {
  type AgencyId,
  agencyId,
  ClockWatch,
  CommandRunner,
  type DomainEvent,
  derivedId,
  type Instant,
  newEventId,
  type Position,
  type PublicEventId,
  type RecordedEvent,
  type StreamName,
  silentLogger,
  streamName,
  type WebhookEndpointId,
} from '#kernel';
import { collectionName, type DeadLetterList, ProjectionEngine, ReadModel } from '#projections';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { WebhookDeliveryRepository, WebhookEndpointRepository } from '../application/repositories.js';
import { deliveryIdOf, type WebhookDeliveryEvent, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import { EndpointList, endpointListProjection } from '../read-models/endpoint-list.js';
import { WebhookScheduling } from './webhook-scheduling.js';

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

beforeEach(() => {
  log = new InMemoryEventLog();
  documents = new InMemoryDocumentStore();
  judgements = [];
  isComplete = true;
});

const happened = (stream: StreamName, { type, data }: DomainEvent, at: Instant = 1_000) => {
  const metadata = { at, correlationId: 'req', causationId: null, actor: 'test', workspaceId: workspaceOf(lumen) };
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
const disable = (endpointId: WebhookEndpointId) =>
  happened(streamName('webhookEndpoint', endpointId), {
    type: 'webhookEndpoint.disabled.v1',
    data: { endpointId, reason: 'operator', failingSince: null },
  });
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

/** It looks up no binding. */
const NO_QUERIES = {} as QueryBus;

const aScheduling = () => {
  const clock = new FakeClock();
  const runner = new CommandRunner(log, clock);
  const scheduling = new WebhookScheduling(
    new WebhookDeliveryRepository(runner),
    new WebhookEndpointRepository(runner, NO_QUERIES),
    new EndpointList(new ReadModel(endpointListProjection, documents, { of: async () => COLLECTION })),
    { isComplete: async () => isComplete } as unknown as DeadLetterList,
    log,
    new ClockWatch(clock, log, silentLogger),
    silentLogger,
  );
  scheduling.disableIfFailing = async (id, { metadata }) => void judgements.push([id, metadata.at]);
  return scheduling;
};

/** As a runner that takes over at the checkpoint would, with pages of that size; the list may have passed them long ago. */
const run = async ({
  after = 0 as Position,
  limit = 1_000,
  pages = Number.POSITIVE_INFINITY,
  isListAhead = true,
} = {}) => {
  const process = aScheduling();
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

  it('is received, even if the retry of an event from before the registration was handled first (D67)', async () => {
    await register(first);
    await publish('early');
    await cause('before');
    await register(second);
    await announce('before');
    await project(Number.POSITIVE_INFINITY);
    const scheduling = aScheduling();
    const { events } = await log.readLog({ after: 0, types: new Set(['eventFeed.eventPublished.v1']) });
    for (const event of events) await scheduling.retry(event);
    expect(await deliveries()).toEqual([
      [first, eventOf('early')],
      [first, eventOf('before')],
    ]);
  });

  it('is received with pages of any size, after a takeover at any position, and once, with all documents lost', async () => {
    const action = fc.constantFrom('cause', 'announce', 'register', 'disable', 'enable', 'rebind');
    const histories = fc.array(action, { minLength: 5, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 10 }), fc.nat(9), fc.boolean(), async (...given) => {
        const [history, limit, pages, isListAhead] = given;
        log = new InMemoryEventLog();
        documents = new InMemoryDocumentStore();
        const waiting: string[] = [];
        const later = new Set<string>();
        const expected: (readonly [WebhookEndpointId, PublicEventId])[] = [];
        let state: 'none' | 'active' | 'disabled' | 'earlier_binding' = 'none';
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
          } else if (what === 'rebind' && state === 'active') {
            await rebind();
            state = 'earlier_binding';
          }
        }
        await run({ after: await run({ limit, pages, isListAhead }), limit, isListAhead });
        await run({ limit });
        documents = new InMemoryDocumentStore();
        await run({ limit });
        expect((await deliveries()).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 100 },
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

it('records in the delivery only where the bytes are, not the bytes themselves (D58)', async () => {
  await register(first);
  await publish('one');
  await publish('two');
  await run();
  const id = deliveryIdOf(first, eventOf('two'));
  const stream = await log.readStream(streamName(webhookDeliveryDecider.category, id));
  expect(stream).toMatchObject([{ data: { workspaceId: workspaceOf(lumen), feedRevision: 1 } }]);
  expect(JSON.stringify(stream)).not.toContain('bytes');
});
