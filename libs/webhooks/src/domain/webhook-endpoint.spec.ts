import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '#kernel';
import { at, folded, given, type Past } from '#testing';
import { disabled, enabled, endpointId, registered, registration } from '../webhook.fixtures.js';
import type { WebhookEndpointEvent } from './webhook-endpoint.events.js';
import {
  chooseTypes,
  disableEndpoint,
  disableFailing,
  enableEndpoint,
  encryptedSecretsAt,
  recordPendingFailed,
  recordTest,
  reencryptSecrets,
  registerEndpoint,
  requestTest,
  resume,
  rotateSecret,
  suspend,
  webhookEndpointDecider,
} from './webhook-endpoint.js';

const rotated = (encryptedSecret: string, overlapUntil: number | null): WebhookEndpointEvent => ({
  type: 'webhookEndpoint.secretRotated.v2',
  data: { endpointId, encryptedSecret, overlapUntil },
});
const suspended: WebhookEndpointEvent = {
  type: 'webhookEndpoint.suspended.v1',
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
  return state.status === 'unknown' ? undefined : encryptedSecretsAt(state, now);
};

describe('registering', () => {
  it('registers the endpoint under the present binding', () => {
    givenEndpoint([])
      .when((state) => registerEndpoint(state, registration))
      .then([registered]);
  });

  it('never replaces another endpoint', () => {
    givenEndpoint([registered])
      .when((state) => registerEndpoint(state, registration))
      .thenRefused('internal_error');
  });
});

describe('rotating the secret (D61)', () => {
  const rotation = (overlap: number) => (state: Parameters<typeof rotateSecret>[0], now: number) =>
    rotateSecret(state, { encryptedSecret: 'encrypted-2', overlap }, now);

  it('replaces it immediately', () => {
    givenEndpoint([registered])
      .when(rotation(0), 50)
      .then([rotated('encrypted-2', null)]);
    expect(signing([registered, at(50, rotated('encrypted-2', null))], 50)).toEqual(['encrypted-2']);
  });

  it('lets the old one sign too until the overlap ends, after the new one', () => {
    givenEndpoint([registered])
      .when(rotation(DAY), 50)
      .then([rotated('encrypted-2', 50 + DAY)]);
    const past = [registered, at(50, rotated('encrypted-2', 50 + DAY))];
    expect(signing(past, 50 + DAY - 1)).toEqual(['encrypted-2', 'encrypted-1']);
    expect(signing(past, 50 + DAY)).toEqual(['encrypted-2']);
  });

  it('accepts an overlap of 30 days, and refuses a longer one', () => {
    const month = 30 * DAY;
    givenEndpoint([registered])
      .when(rotation(month), 50)
      .then([rotated('encrypted-2', 50 + month)]);
    givenEndpoint([registered])
      .when(rotation(month + 1), 50)
      .thenRefused('invalid_request');
  });

  it('lets ten secrets sign at most: another one replaces all of them, or waits until an overlap ends', () => {
    const rotations = Array.from({ length: 9 }, (_, n) => at(n, rotated(`encrypted-${n + 2}`, 100 + n)));
    const ten = [registered, ...rotations];
    expect(signing(ten, 99)).toHaveLength(10);
    givenEndpoint(ten).when(rotation(1), 99).thenRefused('invalid_request');
    givenEndpoint(ten)
      .when(rotation(0), 99)
      .then([rotated('encrypted-2', null)]);
    givenEndpoint(ten)
      .when(rotation(1), 100)
      .then([rotated('encrypted-2', 101)]);
  });

  it('keeps an overlap that still runs when rotated again, and ends all of them without one', () => {
    const twice = [registered, at(1, rotated('encrypted-2', 100)), at(2, rotated('encrypted-3', 200))];
    expect(signing(twice, 99)).toEqual(['encrypted-3', 'encrypted-2', 'encrypted-1']);
    expect(signing(twice, 100)).toEqual(['encrypted-3', 'encrypted-2']);
    expect(signing([...twice, at(3, rotated('encrypted-4', null))], 3)).toEqual(['encrypted-4']);
  });

  it('is refused for an unknown or disabled endpoint', () => {
    givenEndpoint([]).when(rotation(0)).thenRefused('not_found');
    givenEndpoint([registered, disabled]).when(rotation(0)).thenRefused('invalid_request');
  });
});

it('remembers the last ten secrets that no longer sign, the newest first', () => {
  const past = [registered, at(1, rotated('encrypted-2', 100)), at(2, rotated('encrypted-3', null))];
  expect(folded(webhookEndpointDecider, past)).toMatchObject({ replaced: ['encrypted-2', 'encrypted-1'] });
  const later = Array.from({ length: 12 }, (_, n) => at(3 + n, rotated(`encrypted-${4 + n}`, null)));
  const state = folded(webhookEndpointDecider, [...past, ...later]);
  expect(state).toMatchObject({ replaced: expect.arrayContaining(['encrypted-14', 'encrypted-5']) });
  expect(state.status === 'unknown' ? [] : state.replaced).toHaveLength(10);
});

describe('the event types that it takes (D104)', () => {
  const chosen: WebhookEndpointEvent = {
    type: 'webhookEndpoint.typesChosen.v1',
    data: { endpointId, types: ['case.created'] },
  };
  const choose = (state: Parameters<typeof chooseTypes>[0]) => chooseTypes(state, ['case.created']);

  it('are all without a choice, also of an endpoint that an earlier build has registered', () => {
    const { types: _, ...data } = registration;
    for (const past of [[registered], [{ ...registered, data } as WebhookEndpointEvent]]) {
      expect(folded(webhookEndpointDecider, past)).toMatchObject({ types: null });
    }
  });

  it('change once with a choice, also of a disabled endpoint', () => {
    givenEndpoint([registered]).when(choose).then([chosen]);
    givenEndpoint([registered, chosen]).when(choose).thenNothing();
    givenEndpoint([registered, disabled]).when(choose).then([chosen]);
    givenEndpoint([]).when(choose).thenRefused('not_found');
    expect(folded(webhookEndpointDecider, [registered, chosen])).toMatchObject({ types: ['case.created'] });
  });

  it('can be all again', () => {
    givenEndpoint([registered, chosen])
      .when((state) => chooseTypes(state, null))
      .then([{ type: 'webhookEndpoint.typesChosen.v1', data: { endpointId, types: null } }]);
    givenEndpoint([registered])
      .when((state) => chooseTypes(state, null))
      .thenNothing();
  });
});

describe('disabling', () => {
  it('disables the endpoint once', () => {
    givenEndpoint([registered]).when(disableEndpoint).then([disabled]);
    givenEndpoint([registered, disabled]).when(disableEndpoint).thenNothing();
    givenEndpoint([]).when(disableEndpoint).thenRefused('not_found');
  });

  it('D82: happens once, unless the failures are from before it was enabled', () => {
    const failing: WebhookEndpointEvent = {
      type: 'webhookEndpoint.disabled.v1',
      data: { endpointId, reason: 'failing', failingSince: 100 },
    };
    const disableAfter = (state: Parameters<typeof disableFailing>[0]) => disableFailing(state, 100);
    givenEndpoint([registered]).when(disableAfter).then([failing]);
    const enabledLater = [at(0, registered), at(1, disabled), at(101, enabled)];
    for (const past of [[registered, disabled], [], enabledLater]) {
      givenEndpoint(past).when(disableAfter).thenNothing();
    }
    expect(folded(webhookEndpointDecider, [registered, failing])).toMatchObject({ disabledBecause: 'failing' });
  });

  it('D82: records that all pending deliveries have failed, unless it was enabled again', () => {
    const failed: WebhookEndpointEvent = { type: 'webhookEndpoint.pendingDeliveriesFailed.v1', data: { endpointId } };
    givenEndpoint([registered, disabled]).when(recordPendingFailed).then([failed]);
    givenEndpoint([registered, disabled, enabled]).when(recordPendingFailed).thenNothing();
    givenEndpoint([]).when(recordPendingFailed).thenNothing();
    expect(folded(webhookEndpointDecider, [registered, disabled, failed])).toMatchObject({ status: 'disabled' });
  });
});

describe('enabling (D82)', () => {
  it('enables a disabled endpoint once, with its id, URL and secrets', () => {
    givenEndpoint([registered, disabled]).when(enableEndpoint).then([enabled]);
    givenEndpoint([registered, disabled, enabled]).when(enableEndpoint).thenNothing();
    givenEndpoint([registered]).when(enableEndpoint).thenNothing();
    givenEndpoint([]).when(enableEndpoint).thenRefused('not_found');
    const past = [registered, rotated('encrypted-2', 5 * DAY), disabled, enabled];
    expect(folded(webhookEndpointDecider, past)).toMatchObject({
      status: 'active',
      disabledBecause: null,
      endpointId,
      url: registration.url,
    });
    expect(signing(past, 1)).toEqual(['encrypted-2', 'encrypted-1']);
  });

  it('begins a new count of five days, and ends a suspension', () => {
    const past = [registered, suspended, disabled, at(DAY, enabled)];
    expect(folded(webhookEndpointDecider, past)).toMatchObject({ suspendedSince: null, activeSince: DAY });
    givenEndpoint(past)
      .when((state) => disableFailing(state, DAY - 1))
      .thenNothing();
  });
});

describe('a suspension while the agency is denied (D62)', () => {
  it('is recorded when it begins and when it ends, but not in between', () => {
    const hold = (state: Parameters<typeof suspend>[0]) => suspend(state, 'agency_kyc_required');
    givenEndpoint([registered]).when(hold).then([suspended]);
    givenEndpoint([registered, suspended]).when(hold).thenNothing();
    givenEndpoint([registered, disabled]).when(hold).thenNothing();
    givenEndpoint([]).when(hold).thenNothing();
    const resumed: WebhookEndpointEvent = { type: 'webhookEndpoint.resumed.v1', data: { endpointId } };
    givenEndpoint([registered, suspended]).when(resume).then([resumed]);
    givenEndpoint([registered]).when(resume).thenNothing();
    givenEndpoint([]).when(resume).thenNothing();
    expect(folded(webhookEndpointDecider, [registered, at(HOUR, suspended)])).toMatchObject({ suspendedSince: HOUR });
    expect(folded(webhookEndpointDecider, [registered, suspended, resumed])).toMatchObject({ suspendedSince: null });
  });
});

describe('a test', () => {
  const request = (state: Parameters<typeof requestTest>[0]) => requestTest(state, 'test-1');

  it('is requested once while it waits for its result, and can be requested again after it', () => {
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
  expect(folded(webhookEndpointDecider, [disabled, suspended])).toEqual({ status: 'unknown' });
  const other: WebhookEndpointEvent = {
    type: 'webhookEndpoint.tested.v1',
    data: { endpointId, testId: 'another', status: 200, error: null },
  };
  expect(folded(webhookEndpointDecider, [registered, testRequested, other])).toMatchObject({
    test: { testId: 'test-1', result: null },
  });
});

describe('encrypting the secrets with another key (D85)', () => {
  const reencrypt = (_owner: object, encrypted: string) => (encrypted.endsWith('*') ? undefined : `${encrypted}*`);

  it('keeps all of them, each with its end', () => {
    const past = [registered, at(HOUR, rotated('encrypted-2', 2 * DAY))];
    const before = folded(webhookEndpointDecider, past);
    const events = reencryptSecrets(before, DAY, reencrypt);
    expect(events).toMatchObject([{ type: 'webhookEndpoint.secretReencrypted.v2' }]);
    const after = folded(webhookEndpointDecider, [...past, ...events]);
    if (before.status === 'unknown') throw new Error('it is registered');
    expect(after).toEqual({
      ...before,
      secrets: before.secrets.map((secret) => ({ ...secret, encrypted: `${secret.encrypted}*` })),
    });
    expect(signing([...past, ...events], DAY)).toHaveLength(2);
    expect(signing([...past, ...events], 3 * DAY)).toEqual(['encrypted-2*']);
  });

  it('leaves out a secret whose overlap has passed', () => {
    const past = [registered, at(HOUR, rotated('encrypted-2', 2 * DAY))];
    const events = reencryptSecrets(folded(webhookEndpointDecider, past), 2 * DAY, reencrypt);
    expect(events).toMatchObject([{ data: { encryptedSecrets: ['encrypted-2*', registration.encryptedSecret] } }]);
  });

  it('records nothing if all are encrypted with it, and includes those of a disabled endpoint', () => {
    givenEndpoint([registered, disabled])
      .when((state) => reencryptSecrets(state, DAY, () => undefined))
      .then([]);
    expect(reencryptSecrets(folded(webhookEndpointDecider, [registered, disabled]), DAY, reencrypt)).toHaveLength(1);
    expect(reencryptSecrets({ status: 'unknown' }, DAY, reencrypt)).toEqual([]);
  });
});
