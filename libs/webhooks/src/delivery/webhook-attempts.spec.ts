import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { EVENT_FEED } from '#event-feed';
import { DAY, derivedId, ENCRYPTED, ERASED, MINUTE, SECOND, streamName, type WebhookDeliveryId } from '#kernel';
import type { FakeSender } from '#testing';
import { agency, linked, mia, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { eventIdAt, publishAt } from '../../../event-feed/src/domain/event-feed.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { SecretCipher } from '../application/secret-cipher.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { WebhooksModule } from '../webhooks.module.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { type AttemptOutcome, WebhookAttempts } from './webhook-attempts.js';

const endpointId = derivedId('webhookEndpoint', 'one');
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

const kinds = (results: readonly PromiseSettledResult<AttemptOutcome>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value.kind : String(result.reason)));

const failureOf = async (deliveryId: WebhookDeliveryId) => {
  const { state } = await service.runner.load(webhookDeliveryDecider, deliveryId);
  return state.status === 'failed' ? state.lastError : state.status;
};

it.each([
  [0, 800],
  [0.5, 1_000],
  [0.75, 1_100],
] as const)('D60: draws a wait between 80 and 120 % of the planned one: %s', async (random, wait) => {
  jest.spyOn(Math, 'random').mockReturnValue(random);
  sender.answer({ kind: 'refused', status: 500 });
  await publishAt(service.log, 0);
  await schedule(0);
  const [result] = await attempt([0]);
  if (result?.status === 'fulfilled' && result.value.kind === 'sent') await result.value.record();
  const { state } = await service.runner.load(webhookDeliveryDecider, deliveryIdAt(0));
  expect(state).toMatchObject({ attempts: 1, dueAt: service.clock.now() + wait });
});

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
  expect(kinds(await attempt([0, 1, 2, 3]))).toEqual(['sent', 'not_yet', 'nothing_sent', 'not_yet']);
  expect(sender.requests).toHaveLength(1);
  expect(reads).toEqual(['0+1']);
});

it('makes no call if nothing is due', async () => {
  service.directory.failure = new Error('away');
  expect(kinds(await attempt([0]))).toEqual(['not_yet']);
  expect(reads).toEqual([]);
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
  expect(kinds(await attempt([0, 1]))).toEqual(['sent', 'nothing_sent']);
  expect(await failureOf(deliveryIdAt(1))).toBe('access_revoked');

  await schedule(2);
  await schedule(3);
  await endpointDid({
    type: 'webhookEndpoint.disabled.v1',
    data: { endpointId, reason: 'operator', failingSince: null },
  });
  expect(kinds(await attempt([2, 3]))).toEqual(['nothing_sent', 'nothing_sent']);
  expect(await failureOf(deliveryIdAt(2))).toBe('endpoint_disabled');
  expect(await failureOf(deliveryIdAt(3))).toBe('endpoint_disabled');
  expect(sender.requests).toHaveLength(1);
});

it('D77: a delivery whose creator is missing is postponed without an attempt, for longer the longer it is missing', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  await service.creatorDid(mia, { type: 'creator.memberNotFound.v1', data: {} });
  const waits: number[] = [];
  for (let look = 0; look < 9; look++) {
    expect(kinds(await attempt([0]))).toEqual(['nothing_sent']);
    const { state } = await service.runner.load(webhookDeliveryDecider, deliveryIdAt(0));
    if (state.status !== 'pending') throw new Error(`it is ${state.status}`);
    waits.push((state.dueAt - service.clock.now()) / SECOND);
    service.clock.advance(state.dueAt - service.clock.now());
  }
  expect(waits).toEqual([30, 30, 60, 120, 240, 480, 960, 1920, 3600]);
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

it('D77: the end of the membership fails what was postponed', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  await service.creatorDid(mia, { type: 'creator.memberNotFound.v1', data: {} });
  await attempt([0]);
  service.clock.advance(MINUTE);
  await service.creatorDid(mia, { type: 'creator.membershipEnded.v1', data: {} });
  expect(kinds(await attempt([0]))).toEqual(['nothing_sent']);
  expect(await failureOf(deliveryIdAt(0))).toBe('access_revoked');
});

it('D62: what has been erased is not sent', async () => {
  await publishAt(service.log, 0);
  await publishAt(service.log, 1, ERASED);
  for (const revision of [0, 1]) await schedule(revision);
  expect(kinds(await attempt([0, 1]))).toEqual(['sent', 'nothing_sent']);
  expect(await failureOf(deliveryIdAt(1))).toBe('erased');
});

it('D62: access is checked last: an endpoint that is disabled while the feed is read gets nothing', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  const data = { endpointId, reason: 'operator' as const, failingSince: null };
  whileRead = () => endpointDid({ type: 'webhookEndpoint.disabled.v1', data });
  expect(kinds(await attempt([0]))).toEqual(['nothing_sent']);
  expect(sender.requests).toEqual([]);
});

it('D62: all deliveries are suspended while the agency is denied, without an attempt', async () => {
  for (const revision of [0, 1]) {
    await publishAt(service.log, revision);
    await schedule(revision);
  }
  service.directory.failure = new Error('away');
  expect(kinds(await attempt([0, 1]))).toEqual(['suspended', 'suspended']);
  expect(sender.requests).toEqual([]);
});

it('D62, D93: a delivery fails after 72 hours without access, but not when a clock is set', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  service.directory.failure = new Error('away');
  expect(kinds(await attempt([0]))).toEqual(['suspended']);
  service.clock.jump(4 * DAY);
  expect(kinds(await attempt([0]))).toEqual(['suspended']);
  service.clock.advance(DAY);
  expect(kinds(await attempt([0]))).toEqual(['nothing_sent']);
  expect(await failureOf(deliveryIdAt(0))).toBe('agency_denied');
});

it('sends nothing to an endpoint whose secret was copied from another URL', async () => {
  await publishAt(service.log, 0);
  await schedule(0);
  await endpointDid({
    type: 'webhookEndpoint.registered.v2',
    data: {
      endpointId,
      agencyId: agency,
      workspaceId,
      epoch: 1,
      url: 'https://elsewhere.example/',
      encryptedSecret: service.get(SecretCipher).encrypt({ endpointId, url }, 'whsec_1'),
    },
  });
  const [attempted] = await attempt([0]);
  expect(attempted).toMatchObject({ status: 'rejected' });
  expect(sender.requests).toEqual([]);
});
