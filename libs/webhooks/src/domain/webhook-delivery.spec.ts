import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HOUR, MINUTE, SECOND } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import { endpointId, order, scheduled } from '../webhook.fixtures.js';
import type { SendOutcome } from './send-result.js';
import {
  deliveryIdOf,
  postponeDelivery,
  recordAttempt,
  replayDelivery,
  retryWait,
  revokeDelivery,
  scheduleDelivery,
  type WebhookDelivery,
  type WebhookDeliveryEvent,
  webhookDeliveryDecider,
} from './webhook-delivery.js';

const NOW = 1_000;
const backoff = { waits: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR], jitter: 0 };
const timing = { sentAt: 990, ms: 9 };
const refused: SendOutcome = { status: 500, error: 'refused' };

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
const attempt =
  (number: number, { retryAfter, ...answer }: SendOutcome) =>
  (state: WebhookDelivery, now: number) =>
    recordAttempt(state, { attempt: number, result: { ...answer, ...timing }, retryAfter }, backoff, now);

describe('scheduling', () => {
  it('is scheduled once', () => {
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
      .when(attempt(1, { status: 204, error: null }))
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
      .when(attempt(1, { status: null, error: 'timeout' }), NOW)
      .then([
        {
          type: 'webhookDelivery.attemptFailed.v1',
          data: { endpointId, attempt: 1, status: null, error: 'timeout', ...timing, nextAttemptAt: NOW + MINUTE },
        },
      ]);
  });

  it('is followed by a longer wait if the receiver asks for it, at most twice as long (D60)', () => {
    const asking = (retryAfter: number): SendOutcome => ({ status: 500, error: 'refused', retryAfter });
    givenDelivery([scheduled])
      .when(attempt(1, asking(90 * SECOND)), NOW)
      .then([failedOnce(1, NOW + 90 * SECOND)]);
    givenDelivery([scheduled])
      .when(attempt(1, asking(HOUR)), NOW)
      .then([failedOnce(1, NOW + 2 * MINUTE)]);
  });

  it('is recorded once, with any second result for its number', () => {
    givenDelivery([scheduled, failedOnce(1, NOW)])
      .when(attempt(1, { status: 200, error: null }))
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

const failures = fc.integer({ min: 1, max: 4 });

it('D60: a wait is within a fifth of the planned one, as the jitter says', () => {
  expect(retryWait(1, { waits: backoff.waits, jitter: -1 })).toBe(0.8 * MINUTE);
  expect(retryWait(1, { waits: backoff.waits, jitter: 1 })).toBe(1.2 * MINUTE);
  fc.assert(
    fc.property(failures, fc.double({ min: -1, max: 1, noNaN: true }), (count, jitter) => {
      const planned = backoff.waits[count - 1] ?? 0;
      const wait = retryWait(count, { waits: backoff.waits, jitter });
      expect(wait).toBeGreaterThanOrEqual(0.8 * planned);
      expect(wait).toBeLessThanOrEqual(1.2 * planned);
    }),
  );
});

it('D60: what the receiver asks for never shortens a wait, and never more than doubles it', () => {
  fc.assert(
    fc.property(failures, fc.nat(), fc.double({ min: -1, max: 1, noNaN: true }), (count, retryAfter, jitter) => {
      const without = retryWait(count, { waits: backoff.waits, jitter });
      const wait = retryWait(count, { waits: backoff.waits, jitter }, retryAfter);
      expect(wait).toBe(retryAfter <= without ? without : Math.min(retryAfter, 2 * without));
    }),
  );
});

it('the last wait serves for all further attempts', () => {
  expect([1, 2, 3, 4].map((count) => retryWait(count, { waits: [5, 7], jitter: 0 }))).toEqual([5, 7, 7, 7]);
});
