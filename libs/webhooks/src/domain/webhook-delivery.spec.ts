import { describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE, SECOND } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import { endpointId, order, scheduled } from '../webhook.fixtures.js';
import type { SendOutcome } from './send-result.js';
import type { WebhookDeliveryEvent } from './webhook-delivery.events.js';
import {
  deliveryIdOf,
  expireIfSuspendedTooLong,
  postponeDelivery,
  recordAttempt,
  replayDelivery,
  revokeDelivery,
  scheduleDelivery,
  type WebhookDelivery,
  webhookDeliveryDecider,
} from './webhook-delivery.js';

const NOW = 1_000;
const backoff = { waits: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR], jitter: 0 };
const timing = { sentAt: 990, ms: 9 };
const refused: SendOutcome = { kind: 'refused', status: 500 };

const failedOnce = (attempt: number, nextAttemptAt: number): WebhookDeliveryEvent => ({
  type: 'webhookDelivery.attemptFailed.v1',
  data: { endpointId, attempt, status: 500, error: 'refused', ...timing, nextAttemptAt },
});
const delivered = (attempt: number): WebhookDeliveryEvent => ({
  type: 'webhookDelivery.delivered.v1',
  data: { endpointId, attempt, status: 204, error: null, ...timing },
});
const exhausted = (attempt: number): WebhookDeliveryEvent => ({
  type: 'webhookDelivery.exhausted.v1',
  data: { endpointId, attempt, status: 500, error: 'refused', ...timing },
});
const replayRequested: WebhookDeliveryEvent = { type: 'webhookDelivery.replayRequested.v1', data: { endpointId } };
const revoked: WebhookDeliveryEvent = {
  type: 'webhookDelivery.revoked.v1',
  data: { endpointId, reason: 'access_revoked' },
};

const fourFailures = [1, 2, 3, 4].map((attempt) => failedOnce(attempt, NOW));
const allFailed = [scheduled, ...fourFailures, exhausted(5)];

const givenDelivery = (past: Past<WebhookDeliveryEvent>) => given(webhookDeliveryDecider, past);
const attempt = (number: number, outcome: SendOutcome) => (state: WebhookDelivery, now: number) =>
  recordAttempt(state, { attempt: number, outcome, timing }, backoff, now);

describe('scheduling', () => {
  it('accepts an order once', () => {
    givenDelivery([])
      .when((state) => scheduleDelivery(state, order))
      .then([scheduled]);
    givenDelivery([scheduled])
      .when((state) => scheduleDelivery(state, order))
      .thenNothing();
    givenDelivery(allFailed)
      .when((state) => scheduleDelivery(state, order))
      .thenNothing();
  });

  it('makes the delivery due immediately', () => {
    expect(folded(webhookDeliveryDecider, [at(NOW, scheduled)])).toMatchObject({ status: 'pending', dueAt: NOW });
  });

  it('derives the id from endpoint and event', () => {
    expect(deliveryIdOf(endpointId, order.eventId)).toBe(deliveryIdOf(endpointId, order.eventId));
    expect(deliveryIdOf(endpointId, order.eventId)).toMatch(/^whd_/);
  });
});

describe('an attempt', () => {
  it('that was answered with 2xx delivers', () => {
    givenDelivery([scheduled])
      .when(attempt(1, { kind: 'delivered', status: 204 }))
      .then([delivered(1)]);
    expect(folded(webhookDeliveryDecider, [scheduled, delivered(1)])).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastError: null,
    });
  });

  it.each([
    [1, MINUTE],
    [2, 10 * MINUTE],
    [3, HOUR],
    [4, 6 * HOUR],
  ])('with number %i that failed is followed by another after %i ms (D60)', (number, wait) => {
    givenDelivery([scheduled, ...fourFailures.slice(0, number - 1)])
      .when(attempt(number, refused), NOW)
      .then([failedOnce(number, NOW + wait)]);
  });

  it('with number five is the last (D60)', () => {
    givenDelivery([scheduled, ...fourFailures])
      .when(attempt(5, refused), NOW)
      .then([exhausted(5)]);
    expect(folded(webhookDeliveryDecider, allFailed)).toMatchObject({ status: 'failed', attempts: 5, lastStatus: 500 });
  });

  it('that got no answer keeps the reason', () => {
    givenDelivery([scheduled])
      .when(attempt(1, { kind: 'failed', error: 'timeout' }), NOW)
      .then([
        {
          type: 'webhookDelivery.attemptFailed.v1',
          data: { endpointId, attempt: 1, status: null, error: 'timeout', ...timing, nextAttemptAt: NOW + MINUTE },
        },
      ]);
  });

  it('is followed by a longer wait if the receiver asks for it, at most twice as long (D60)', () => {
    const asking = (retryAfter: number): SendOutcome => ({ kind: 'refused', status: 500, retryAfter });
    givenDelivery([scheduled])
      .when(attempt(1, asking(90 * SECOND)), NOW)
      .then([failedOnce(1, NOW + 90 * SECOND)]);
    givenDelivery([scheduled])
      .when(attempt(1, asking(HOUR)), NOW)
      .then([failedOnce(1, NOW + 2 * MINUTE)]);
  });

  it('is recorded once, with any second result for its number', () => {
    givenDelivery([scheduled, failedOnce(1, NOW)])
      .when(attempt(1, { kind: 'delivered', status: 200 }))
      .thenNothing();
    givenDelivery([scheduled, delivered(1)])
      .when(attempt(1, refused))
      .thenNothing();
    givenDelivery([scheduled, delivered(1)])
      .when(attempt(2, refused))
      .thenNothing();
    givenDelivery([]).when(attempt(1, refused)).thenNothing();
  });
});

describe('a replay (D62)', () => {
  const replay = (state: WebhookDelivery) => replayDelivery(state);

  it('is accepted for failed and delivered deliveries, and does not change a pending one', () => {
    givenDelivery(allFailed).when(replay).then([replayRequested]);
    givenDelivery([scheduled, delivered(1)])
      .when(replay)
      .then([replayRequested]);
    givenDelivery([scheduled]).when(replay).thenNothing();
    givenDelivery([]).when(replay).thenRefused('not_found');
  });

  it('of all that matches happens once for the number of that replay, also when a later one has been there', () => {
    const ofNumber = (number: number) => (state: WebhookDelivery) => replayDelivery(state, number);
    const requestedBy = (number: number): WebhookDeliveryEvent => ({
      type: 'webhookDelivery.replayRequested.v1',
      data: { endpointId, replay: number },
    });
    const settled = [scheduled, delivered(1)];
    givenDelivery(settled)
      .when(ofNumber(2))
      .then([requestedBy(2)]);
    const replayed = [...settled, requestedBy(2), delivered(2)];
    for (const number of [1, 2]) givenDelivery(replayed).when(ofNumber(number)).thenNothing();
    givenDelivery(replayed)
      .when(ofNumber(3))
      .then([requestedBy(3)]);
    givenDelivery(replayed).when(replay).then([replayRequested]);
    givenDelivery([...replayed, replayRequested, delivered(3)])
      .when(ofNumber(2))
      .thenNothing();
  });

  it('has five new attempts, waits from the first one, and a continued count', () => {
    const replayed = [...allFailed, at(NOW, replayRequested)];
    expect(folded(webhookDeliveryDecider, replayed)).toMatchObject({ status: 'pending', attempts: 5, dueAt: NOW });
    givenDelivery(replayed)
      .when(attempt(6, refused), NOW)
      .then([failedOnce(6, NOW + MINUTE)]);
    const fourMore = [6, 7, 8, 9].map((number) => failedOnce(number, NOW));
    givenDelivery([...replayed, ...fourMore])
      .when(attempt(10, refused), NOW)
      .then([exhausted(10)]);
  });
});

describe('revoking', () => {
  it('fails a pending delivery for good, without an attempt', () => {
    const revoke = (state: WebhookDelivery) => revokeDelivery(state, 'access_revoked');
    givenDelivery([scheduled]).when(revoke).then([revoked]);
    givenDelivery([scheduled, delivered(1)])
      .when(revoke)
      .thenNothing();
    givenDelivery([]).when(revoke).thenNothing();
    expect(folded(webhookDeliveryDecider, [scheduled, revoked])).toMatchObject({
      status: 'failed',
      attempts: 0,
      lastError: 'access_revoked',
    });
  });

  it('happens after 72 hours in which it was both due and suspended (D62)', () => {
    const denied: WebhookDeliveryEvent = {
      type: 'webhookDelivery.revoked.v1',
      data: { endpointId, reason: 'agency_denied' },
    };
    const since = (suspendedSince: number) => (state: WebhookDelivery, now: number) =>
      expireIfSuspendedTooLong(state, suspendedSince, now);
    const past = [at(NOW, scheduled)];
    givenDelivery(past)
      .when(since(0), NOW + 72 * HOUR - 1)
      .thenNothing();
    givenDelivery(past)
      .when(since(0), NOW + 72 * HOUR)
      .then([denied]);
    givenDelivery(past)
      .when(since(NOW + HOUR), NOW + 73 * HOUR - 1)
      .thenNothing();
    givenDelivery(past)
      .when(since(NOW + HOUR), NOW + 73 * HOUR)
      .then([denied]);
    givenDelivery([...past, delivered(1)])
      .when(since(0), NOW + 99 * HOUR)
      .thenNothing();
  });
});

it('events of a delivery that was never scheduled change nothing', () => {
  expect(folded(webhookDeliveryDecider, [delivered(1), replayRequested])).toEqual({ status: 'unknown' });
});

describe('postponing while the creator is missing (D77)', () => {
  const postponed = (until: number): WebhookDeliveryEvent => ({
    type: 'webhookDelivery.postponed.v1',
    data: { endpointId, reason: 'creator_missing', until },
  });
  const postpone = (missingSince: number) => (state: WebhookDelivery, now: number) =>
    postponeDelivery(state, missingSince, now);

  it('waits as long as it has been missing, from half a minute to an hour', () => {
    const waits = [
      [0, 30 * SECOND],
      [30 * SECOND, 30 * SECOND],
      [MINUTE, MINUTE],
      [HOUR - 1, HOUR - 1],
      [90 * HOUR, HOUR],
    ] as const;
    for (const [missingFor, wait] of waits) {
      givenDelivery([scheduled])
        .when(postpone(NOW), NOW + missingFor)
        .then([postponed(NOW + missingFor + wait)]);
    }
  });

  it('uses no attempt, and does not change a settled delivery', () => {
    const past = [scheduled, failedOnce(1, NOW), postponed(9 * HOUR)];
    expect(folded(webhookDeliveryDecider, past)).toMatchObject({ status: 'pending', attempts: 1, dueAt: 9 * HOUR });
    for (const settled of [[scheduled, delivered(1)], [scheduled, revoked], []]) {
      givenDelivery(settled).when(postpone(NOW), NOW).thenNothing();
    }
    expect(folded(webhookDeliveryDecider, [scheduled, revoked, postponed(9)])).toMatchObject({ status: 'failed' });
  });
});
