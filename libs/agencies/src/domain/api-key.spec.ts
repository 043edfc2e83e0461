import { describe, expect, it } from '@jest/globals';
import { agencyId, DAY } from '#kernel';
import { at, folded, given } from '#testing';
import { workspaceOf } from './agency.js';
import {
  type ApiKeyEvent,
  apiKeyDecider,
  type IssuedKey,
  issueKey,
  isUsable,
  type KeyLifetime,
  type KeyOrder,
  keyStatus,
  MAX_KEY_NAME_LENGTH,
  requireClaimed,
  revokeKey,
} from './api-key.js';
import { hashSecret, keyIdOf } from './key-secret.js';
import { PRESETS } from './scopes.js';

const NOW = 1_700_000_000_123;
const secretHash = hashSecret('svc_live_secret');
const agency = agencyId('ag_lumen');

const order = (changes: Partial<KeyOrder> = {}): KeyOrder => ({
  keyId: keyIdOf(secretHash),
  agencyId: agency,
  workspaceId: workspaceOf(agency),
  epoch: 3,
  secretHash,
  preset: 'read_only',
  lifetime: 'none',
  ...changes,
});

const issued = (changes: Partial<IssuedKey> = {}): ApiKeyEvent => {
  const { preset, lifetime, ...key } = order();
  return {
    type: 'apiKey.issued.v1',
    data: { ...key, name: null, scopes: PRESETS.read_only, expiresAt: null, ...changes },
  };
};
const revoked: ApiKeyEvent = { type: 'apiKey.revoked.v1', data: { keyId: keyIdOf(secretHash), agencyId: agency } };

describe('issuing a key', () => {
  it.each<[KeyLifetime, number | null]>([
    ['30d', NOW + 2_592_000_000],
    ['90d', NOW + 7_776_000_000],
    ['none', null],
  ])('D17: a lifetime of %s is exact', (lifetime, expiresAt) => {
    given(apiKeyDecider, [])
      .when((key, now) => issueKey(key, order({ lifetime }), now), NOW)
      .then([issued({ expiresAt })]);
  });

  it('carries the scopes of its preset and its name', () => {
    given(apiKeyDecider, [])
      .when((key, now) => issueKey(key, order({ preset: 'read_write', name: 'Backend' }), now))
      .then([issued({ scopes: PRESETS.read_write, name: 'Backend' })]);
  });

  it('D18: accepts a name of 80 characters, counted as code points', () => {
    const name = '🔑'.repeat(MAX_KEY_NAME_LENGTH);
    given(apiKeyDecider, [])
      .when((key, now) => issueKey(key, order({ name }), now))
      .then([issued({ name })]);
  });

  it('D18: refuses a name of 81 characters', () => {
    given(apiKeyDecider, [])
      .when((key, now) => issueKey(key, order({ name: 'x'.repeat(81) }), now))
      .thenRefused('invalid_request');
  });

  it('never issues the same key twice, not even after it was revoked', () => {
    for (const past of [[issued()], [issued(), revoked]]) {
      given(apiKeyDecider, past)
        .when((key, now) => issueKey(key, order(), now))
        .thenRefused('internal_error');
    }
  });

  it('D18: only the hash of the secret is recorded', () => {
    const [event] = issueKey({ status: 'unknown' }, order(), NOW);
    expect(JSON.stringify(event)).toContain(secretHash);
    expect(JSON.stringify(event)).not.toContain('svc_live_');
  });
});

describe('revoking a key', () => {
  it('ends an issued key', () => {
    given(apiKeyDecider, [issued()]).when(revokeKey).then([revoked]);
  });

  it('a second time changes nothing', () => {
    given(apiKeyDecider, [issued(), revoked]).when(revokeKey).thenNothing();
  });

  it('an unknown key is not found', () => {
    given(apiKeyDecider, []).when(revokeKey).thenRefused('not_found');
  });

  it('keeps when it was issued and when it was revoked', () => {
    expect(folded(apiKeyDecider, [at(5, issued()), at(9, revoked)])).toMatchObject({
      status: 'revoked',
      issuedAt: 5,
      revokedAt: 9,
      epoch: 3,
    });
  });

  it('without an issue adds up to nothing', () => {
    expect(folded(apiKeyDecider, [revoked])).toEqual({ status: 'unknown' });
  });
});

describe('using a key', () => {
  const expiring = folded(apiKeyDecider, [at(NOW, issued({ expiresAt: NOW + 30 * DAY }))]);

  it('D17: it works to the last millisecond, and expires at now >= expires_at', () => {
    expect(isUsable(expiring, NOW + 30 * DAY - 1)).toBe(true);
    expect(isUsable(expiring, NOW + 30 * DAY)).toBe(false);
    expect(isUsable(expiring, NOW + 30 * DAY + 1)).toBe(false);
  });

  it('a key without an end works for good', () => {
    expect(isUsable(folded(apiKeyDecider, [issued()]), Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it('D17: an unknown or revoked key does not work', () => {
    expect(isUsable({ status: 'unknown' }, NOW)).toBe(false);
    expect(isUsable(folded(apiKeyDecider, [issued(), revoked]), 0)).toBe(false);
  });

  it('D17: only the secret that it was issued with opens it', () => {
    const { keyId } = order();
    expect(requireClaimed(expiring, { keyId, secretHash }, NOW)).toMatchObject({ keyId });
    const other = { keyId, secretHash: hashSecret('svc_live_other') };
    expect(() => requireClaimed(expiring, other, NOW)).toThrow(expect.objectContaining({ code: 'unauthorized' }));
  });

  it('an event of a newer service changes nothing', () => {
    const event = { type: 'apiKey.renamed.v1', data: {} } as unknown as ApiKeyEvent;
    expect(folded(apiKeyDecider, [issued(), event])).toEqual(folded(apiKeyDecider, [issued()]));
  });
});

it.each([
  [{}, 'active'],
  [{ expiresAt: NOW + 1 }, 'active'],
  [{ expiresAt: NOW }, 'expired'],
  [{ epoch: 2 }, 'earlier_binding'],
  [{ epoch: 2, expiresAt: NOW }, 'earlier_binding'],
  [{ epoch: 2, revokedAt: NOW - 1 }, 'revoked'],
] as const)('a key with %j is %s to those who manage it', (changes, status) => {
  expect(keyStatus({ revokedAt: null, expiresAt: null, epoch: 3, ...changes }, 3, NOW)).toBe(status);
});
