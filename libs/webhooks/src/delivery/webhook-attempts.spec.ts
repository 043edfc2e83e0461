import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { EVENT_FEED, VisibleEvents } from '#event-feed';
import { DeadLetters, TaskQueue } from '#jobs';
import {
  ClockWatch,
  DAY,
  derivedId,
  ENCRYPTED,
  ERASED,
  HOUR,
  MINUTE,
  SECOND,
  streamName,
  type WebhookDeliveryId,
} from '#kernel';
import { DeadLetterList } from '#projections';
import { type FakeSender, RecordingLogger } from '#testing';
import { agency, linked, mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { eventIdAt, publishAt } from '../../../event-feed/src/domain/event-feed.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { SecretCipher } from '../application/secret-cipher.js';
import { type WebhookDeliveryEvent, webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { disabled, endpointId } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { DeliveryTasks } from './delivery-tasks.js';
import { type AttemptOutcome, WebhookAttempts, WebhooksOptions } from './webhook-attempts.js';

const url = 'https://hooks.example/';
const deliveryIdAt = (revision: number) => derivedId('webhookDelivery', revision);

let service: TestedContext;
let sender: FakeSender;
let reads: string[];
/** Happens while the feed is read. */
let whileRead: () => Promise<unknown>;
let attempts: WebhookAttempts;

beforeEach(async () => {
  service = await testedContext([WebhooksModule], [given(WebhooksOptions, { backoff: [SECOND] })]);
  sender = service.sender;
  reads = [];
  whileRead = async () => undefined;
  const readStream = service.log.readStream.bind(service.log);
  service.log.readStream = async (stream, options) => {
    if (stream === streamName(EVENT_FEED, workspaceId)) {
      reads.push(`${options?.from}+${options?.limit}`);
      await whileRead();
    }
    return readStream(stream, options);
  };
  attempts = service.get(WebhookAttempts);
  await service.creatorDid(mia, ...linked);
  const encryptedSecret = service.get(SecretCipher).encrypt({ endpointId, url }, 'whsec_1');
  await endpointDid({
    type: 'webhookEndpoint.registered.v2',
    data: { endpointId, agencyId: agency, workspaceId, epoch: 1, url, encryptedSecret },
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

const endpointDid = (event: WebhookEndpointEvent) =>
  service.runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [event]);

const deliveryDid = (revision: number, event: WebhookDeliveryEvent) =>
  service.runner.run(webhookDeliveryDecider, deliveryIdAt(revision), contextOf(), () => [event]);

const schedule = (revision: number, creatorId = mia) =>
  deliveryDid(revision, {
    type: 'webhookDelivery.scheduled.v1',
    data: {
      deliveryId: deliveryIdAt(revision),
      endpointId,
      agencyId: agency,
      creatorId,
      eventId: eventIdAt(revision),
      eventType: 'scan.completed',
      workspaceId,
      feedRevision: revision,
    },
  });

const attempt = async (revisions: readonly number[]): Promise<PromiseSettledResult<AttemptOutcome>[]> =>
  Promise.allSettled(await attempts.attempt(endpointId, revisions.map(deliveryIdAt), service.clock.now()));

const kindOf = (outcome: AttemptOutcome) => {
  if (typeof outcome === 'string') return outcome;
  return 'record' in outcome ? 'sent' : Object.keys(outcome)[0];
};
const kinds = (results: readonly PromiseSettledResult<AttemptOutcome>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? kindOf(result.value) : String(result.reason)));

const failureOf = async (deliveryId: WebhookDeliveryId) => {
  const { state } = await service.runner.load(webhookDeliveryDecider, deliveryId);
  return state.status === 'failed' ? state.lastError : state.status;
};

it.each([
  [0, 0, 800],
  [0.5, 0, 1_000],
  [0.75, 0, 1_100],
  [0.5, 1_500, 1_500],
])(
  'D60: draws a wait between 80 and 120 %% of the planned one (%d), or takes the asked one of %i ms',
  async (random, retryAfter, wait) => {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    sender.answer({ status: 500, error: 'refused', retryAfter });
    await publishAt(service.log, 0);
    await schedule(0);
    const [result] = await attempt([0]);
    if (result?.status === 'fulfilled' && typeof result.value === 'object' && 'record' in result.value)
      await result.value.record();
    const { state } = await service.runner.load(webhookDeliveryDecider, deliveryIdAt(0));
    expect(state).toMatchObject({ attempts: 1, dueAt: service.clock.now() + wait });
  },
);

it('sends deliveries that start together with one check of the agency and one read of the feed', async () => {
  let asked = 0;
  const ask = service.directory.getAgency.bind(service.directory);
  service.directory.getAgency = (id) => {
    asked++;
    return ask(id);
  };
  for (const revision of [0, 1, 2]) {
    await publishAt(service.log, revision);
    await schedule(revision);
  }
  expect(kinds(await attempt([2, 0, 1]))).toEqual(['sent', 'sent', 'sent']);
  expect(sender.requests.map(({ body }) => String(body))).toEqual(['event 2', 'event 0', 'event 1']);
  expect(sender.requests.map(({ headers }) => headers['X-SVC-Event-ID'])).toEqual([2, 0, 1].map(eventIdAt));
  expect(asked).toBe(1);
  expect(reads).toEqual(['0+3']);
});

it('attempts only what is due and not settled, and reports each separately', async () => {
  for (const revision of [0, 1, 2]) {
    await publishAt(service.log, revision);
    await schedule(revision);
  }
  const failed = { endpointId, attempt: 1, status: 500, error: 'refused' as const };
  const nextAttemptAt = service.clock.now() + SECOND;
  await deliveryDid(1, { type: 'webhookDelivery.attemptFailed.v1', data: { ...failed, nextAttemptAt } });
  await deliveryDid(2, { type: 'webhookDelivery.exhausted.v1', data: failed });
  expect(kinds(await attempt([0, 1, 2, 3]))).toEqual(['sent', 'retryAt', 'done', 'retryAt']);
  expect(sender.requests).toHaveLength(1);
  expect(reads).toEqual(['0+1']);
});

it('a delivery whose event is lost delays none that starts with it', async () => {
  await publishAt(service.log, 0);
  for (const revision of [0, 1]) await schedule(revision);
  expect(kinds(await attempt([0, 1]))).toEqual(['sent', expect.stringContaining('has lost')]);
});

it('D62: a delivery is revoked for its own creator, and all deliveries are revoked for their endpoint', async () => {
  for (const revision of [0, 1]) await publishAt(service.log, revision);
  await schedule(0);
  await schedule(1, derivedId('creator', 'nobody'));
  expect(kinds(await attempt([0, 1]))).toEqual(['sent', 'done']);
  expect(await failureOf(deliveryIdAt(1))).toBe('access_revoked');

  await schedule(2);
  await schedule(3);
  await endpointDid(disabled);
  const visible = service.get(VisibleEvents);
  const { ruleFor } = visible;
  visible.ruleFor = (creatorIds) => {
    expect([...creatorIds]).toEqual([]);
    return ruleFor.call(visible, creatorIds);
  };
  expect(kinds(await attempt([2, 3]))).toEqual(['done', 'done']);
  expect(await failureOf(deliveryIdAt(2))).toBe('endpoint_disabled');
  expect(await failureOf(deliveryIdAt(3))).toBe('endpoint_disabled');
  expect(sender.requests).toHaveLength(1);
});

it('D19: all deliveries to an endpoint of an earlier binding are revoked', async () => {
  for (const revision of [0, 1]) {
    await publishAt(service.log, revision);
    await schedule(revision);
  }
  await service.rebind();
  expect(kinds(await attempt([0, 1]))).toEqual(['done', 'done']);
  expect(await failureOf(deliveryIdAt(0))).toBe('access_revoked');
  expect(await failureOf(deliveryIdAt(1))).toBe('access_revoked');
  expect(sender.requests).toEqual([]);
});

it('D77: a delivery whose creator is missing is postponed without an attempt', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  await service.creatorDid(mia, { type: 'creator.memberNotFound.v1', data: {} });
  expect(kinds(await attempt([0]))).toEqual(['done']);
  expect(kinds(await attempt([0]))).toEqual(['retryAt']);
  service.clock.advance(MINUTE);
  await service.creatorDid(mia, { type: 'creator.memberFound.v1', data: {} });
  expect(kinds(await attempt([0]))).toEqual(['sent']);
});

it('D71: a delivery whose key is missing fails its attempt, is not sent, and stays pending', async () => {
  await publishAt(service.log, 0, ENCRYPTED);
  await schedule(0);
  expect(kinds(await attempt([0]))).toEqual([expect.stringContaining('cannot be decrypted')]);
  expect(sender.requests).toEqual([]);
  expect((await service.runner.load(webhookDeliveryDecider, deliveryIdAt(0))).state.status).toBe('pending');
});

it('D67: a delivery that failed three times without the receiver is set aside, and sent when it is retried', async () => {
  const { clock, logger } = { clock: service.clock, logger: new RecordingLogger() };
  const views = { head: async () => 0, reached: async () => 0 };
  const queue = new TaskQueue([service.get(DeliveryTasks)], views, clock, logger);
  const hourPasses = async () => {
    clock.advance(HOUR);
    await service.project();
    await queue.runDue(clock.now());
    await service.project();
  };
  await publishAt(service.log, 0, ENCRYPTED);
  await schedule(0);
  for (let tries = 0; tries < 4; tries++) await hourPasses();
  const [deadLetter, ...others] = await service.get(DeadLetterList).list();
  const item = { kind: 'delivery', deliveryId: deliveryIdAt(0) };
  expect([deadLetter, others]).toMatchObject([{ runner: 'webhooks', item }, []]);
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'error']);

  const readable = { personal: { bytes: 'readable' } };
  const { readStream } = service.log;
  service.log.readStream = async (stream, options) => {
    const events = await readStream(stream, options);
    if (!stream.startsWith(EVENT_FEED)) return events;
    return events.map((event) => ({ ...event, data: { ...event.data, ...readable } }));
  };
  service.get(VisibleEvents).forget();
  if (deadLetter) await service.get(DeadLetters).retry(deadLetter, contextOf());
  await hourPasses();
  expect(sender.requests.map(({ body }) => String(body))).toEqual(['readable']);
  expect(await service.get(DeadLetterList).list()).toEqual([]);
});

it('D77: the end of the membership fails what was postponed', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  await service.creatorDid(mia, { type: 'creator.memberNotFound.v1', data: {} });
  await attempt([0]);
  service.clock.advance(MINUTE);
  await service.creatorDid(mia, { type: 'creator.membershipEnded.v1', data: {} });
  expect(kinds(await attempt([0]))).toEqual(['done']);
  expect(await failureOf(deliveryIdAt(0))).toBe('access_revoked');
});

it('D62: what has been erased is not sent', async () => {
  await publishAt(service.log, 0);
  await publishAt(service.log, 1, ERASED);
  for (const revision of [0, 1]) await schedule(revision);
  expect(kinds(await attempt([0, 1]))).toEqual(['sent', 'done']);
  expect(await failureOf(deliveryIdAt(1))).toBe('erased');
});

it('D62: access is checked last: an endpoint that is disabled while the feed is read gets nothing', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  whileRead = () => endpointDid(disabled);
  expect(kinds(await attempt([0]))).toEqual(['done']);
  expect(sender.requests).toEqual([]);
});

it('D62, D93: a delivery fails after 72 hours without access, but not when a clock is set', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  service.directory.failure = new Error('away');
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  service.clock.jump(4 * DAY);
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  service.clock.advance(DAY);
  expect(kinds(await attempt([0]))).toEqual(['done']);
  expect(await failureOf(deliveryIdAt(0))).toBe('agency_denied');
});

it('D62, D93: while the clock is behind the log, the 72 hours count by the monotonic clock', async () => {
  const watch = service.get(ClockWatch);
  await watch.check();
  await publishAt(service.log, 0);
  await schedule(0);
  service.directory.failure = new Error('away');
  service.clock.jump(-100 * DAY);
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  await watch.check();
  service.clock.advance(3 * DAY - 1);
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  service.clock.advance(1);
  expect(kinds(await attempt([0]))).toEqual(['done']);
  expect(await failureOf(deliveryIdAt(0))).toBe('agency_denied');
});

it('D62: the 72 hours begin when the delivery is due, and again with a replay', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  service.directory.failure = new Error('away');
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  await deliveryDid(0, { type: 'webhookDelivery.revoked.v1', data: { endpointId, reason: 'erased' } });
  service.clock.advance(2 * DAY);
  await deliveryDid(0, { type: 'webhookDelivery.replayRequested.v1', data: { endpointId } });
  service.clock.advance(3 * DAY - 1);
  expect(kinds(await attempt([0]))).toEqual(['suspendedUntil']);
  service.clock.advance(1);
  expect(kinds(await attempt([0]))).toEqual(['done']);
});
