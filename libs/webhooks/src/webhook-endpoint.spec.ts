import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import { endpointId, registered, registration } from './webhook.examples.js';
import type { WebhookEndpointEvent } from './webhook-endpoint.events.js';
import {
  disableEndpoint,
  disableFailing,
  holdBack,
  recordTest,
  registerEndpoint,
  release,
  requestTest,
  rotateSecret,
  sealedSecretsAt,
  webhookEndpointDecider,
} from './webhook-endpoint.js';

const rotated = (sealedSecret: string, overlapUntil: number | null): WebhookEndpointEvent => ({
  type: 'webhookEndpoint.secretRotated.v1',
  data: { endpointId, sealedSecret, overlapUntil },
});
const disabled: WebhookEndpointEvent = {
  type: 'webhookEndpoint.disabled.v1',
  data: { endpointId, reason: 'operator', failingSince: null },
};
const heldBack: WebhookEndpointEvent = {
  type: 'webhookEndpoint.heldBack.v1',
  data: { endpointId, code: 'agency_kyc_required' },
};
const testRequested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.testRequested.v1',
  data: { endpointId, testId: 'test-1' },
};
const tested: WebhookEndpointEvent = {
  type: 'webhookEndpoint.tested.v1',
  data: { endpointId, testId: 'test-1', status: 200, error: null },
};

const givenEndpoint = (past: Past<WebhookEndpointEvent>) => given(webhookEndpointDecider, past);

const signing = (past: Past<WebhookEndpointEvent>, now: number) => {
  const state = folded(webhookEndpointDecider, past);
  return state.status === 'unknown' ? undefined : sealedSecretsAt(state, now);
};

describe('registering', () => {
  it('begins the endpoint under the present binding', () => {
    givenEndpoint([])
      .when((state) => registerEndpoint(state, registration))
      .then([registered]);
  });

  it('never takes the place of another', () => {
    givenEndpoint([registered])
      .when((state) => registerEndpoint(state, registration))
      .thenRefused('internal_error');
  });
});

describe('rotating the secret (D61)', () => {
  const rotation = (overlap: number) => (state: Parameters<typeof rotateSecret>[0], now: number) =>
    rotateSecret(state, { sealedSecret: 'sealed-2', overlap }, now);

  it('replaces it at once', () => {
    givenEndpoint([registered])
      .when(rotation(0), 50)
      .then([rotated('sealed-2', null)]);
    expect(signing([registered, at(50, rotated('sealed-2', null))], 50)).toEqual(['sealed-2']);
  });

  it('lets the old one sign too until the overlap ends, after the new one', () => {
    givenEndpoint([registered])
      .when(rotation(DAY), 50)
      .then([rotated('sealed-2', 50 + DAY)]);
    const past = [registered, at(50, rotated('sealed-2', 50 + DAY))];
    expect(signing(past, 50 + DAY - 1)).toEqual(['sealed-2', 'sealed-1']);
    expect(signing(past, 50 + DAY)).toEqual(['sealed-2']);
  });

  it('keeps an overlap that still runs when rotated again, and ends all of them without one', () => {
    const twice = [registered, at(1, rotated('sealed-2', 100)), at(2, rotated('sealed-3', 200))];
    expect(signing(twice, 99)).toEqual(['sealed-3', 'sealed-2', 'sealed-1']);
    expect(signing(twice, 100)).toEqual(['sealed-3', 'sealed-2']);
    expect(signing([...twice, at(3, rotated('sealed-4', null))], 3)).toEqual(['sealed-4']);
  });

  it('is refused for one that is unknown or disabled', () => {
    givenEndpoint([]).when(rotation(0)).thenRefused('not_found');
    givenEndpoint([registered, disabled]).when(rotation(0)).thenRefused('invalid_request');
  });
});

describe('disabling', () => {
  it('ends it, once', () => {
    givenEndpoint([registered]).when(disableEndpoint).then([disabled]);
    givenEndpoint([registered, disabled]).when(disableEndpoint).thenNothing();
    givenEndpoint([]).when(disableEndpoint).thenRefused('not_found');
  });

  it('comes by itself after five days of failing, and says since when', () => {
    const failing: WebhookEndpointEvent = {
      type: 'webhookEndpoint.disabled.v1',
      data: { endpointId, reason: 'failing', failingSince: 100 },
    };
    const decide = (state: Parameters<typeof disableFailing>[0], now: number) => disableFailing(state, 100, now);
    givenEndpoint([registered])
      .when(decide, 100 + 5 * DAY - 1)
      .thenNothing();
    givenEndpoint([registered])
      .when(decide, 100 + 5 * DAY)
      .then([failing]);
    givenEndpoint([registered, disabled])
      .when(decide, 100 + 5 * DAY)
      .thenNothing();
    givenEndpoint([])
      .when(decide, 100 + 5 * DAY)
      .thenNothing();
    expect(folded(webhookEndpointDecider, [registered, failing])).toMatchObject({ disabledBecause: 'failing' });
  });
});

describe('holding back while the agency is denied (D62)', () => {
  it('is recorded when it begins and when it ends, and not in between', () => {
    const hold = (state: Parameters<typeof holdBack>[0]) => holdBack(state, 'agency_kyc_required');
    givenEndpoint([registered]).when(hold).then([heldBack]);
    givenEndpoint([registered, heldBack]).when(hold).thenNothing();
    givenEndpoint([registered, disabled]).when(hold).thenNothing();
    givenEndpoint([]).when(hold).thenNothing();
    const released: WebhookEndpointEvent = { type: 'webhookEndpoint.released.v1', data: { endpointId } };
    givenEndpoint([registered, heldBack]).when(release).then([released]);
    givenEndpoint([registered]).when(release).thenNothing();
    givenEndpoint([]).when(release).thenNothing();
    expect(folded(webhookEndpointDecider, [registered, at(HOUR, heldBack)])).toMatchObject({ heldBackSince: HOUR });
    expect(folded(webhookEndpointDecider, [registered, heldBack, released])).toMatchObject({ heldBackSince: null });
  });
});

describe('a test', () => {
  const request = (state: Parameters<typeof requestTest>[0]) => requestTest(state, 'test-1');

  it('is asked for, and while it waits asking again is asking for that one', () => {
    givenEndpoint([registered]).when(request).then([testRequested]);
    givenEndpoint([registered, testRequested])
      .when((state) => requestTest(state, 'test-2'))
      .thenNothing();
    givenEndpoint([registered, testRequested, tested]).when(request).then([testRequested]);
    givenEndpoint([]).when(request).thenRefused('not_found');
    givenEndpoint([registered, disabled]).when(request).thenRefused('invalid_request');
  });

  it('has one result', () => {
    const result = { status: 200, error: null };
    const record = (state: Parameters<typeof recordTest>[0]) => recordTest(state, 'test-1', result);
    givenEndpoint([registered, testRequested]).when(record).then([tested]);
    givenEndpoint([registered, testRequested, tested]).when(record).thenNothing();
    givenEndpoint([registered, testRequested])
      .when((state) => recordTest(state, 'another', result))
      .thenNothing();
    givenEndpoint([]).when(record).thenNothing();
    expect(folded(webhookEndpointDecider, [registered, testRequested, tested])).toMatchObject({
      test: { testId: 'test-1', result },
    });
  });
});

it('events of an endpoint that never began change nothing, nor does a result of another test', () => {
  expect(folded(webhookEndpointDecider, [disabled, heldBack])).toEqual({ status: 'unknown' });
  const other: WebhookEndpointEvent = {
    type: 'webhookEndpoint.tested.v1',
    data: { endpointId, testId: 'another', status: 200, error: null },
  };
  expect(folded(webhookEndpointDecider, [registered, testRequested, other])).toMatchObject({
    test: { testId: 'test-1', result: null },
  });
});
