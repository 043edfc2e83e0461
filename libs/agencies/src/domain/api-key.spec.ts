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
  type KeyToIssue,
  keyStatus,
  MAX_KEY_NAME_LENGTH,
  PRESETS,
  requireClaimed,
  revokeKey,
} from './api-key.js';
import { hashSecret, isKeySecret, keyClaimOf, keyIdOf, lastFourOf, newKeySecret, sameHash } from './key-secret.js';

const NOW = 1_700_000_000_123;
const secretHash = hashSecret('svc_live_secret');
const agency = agencyId('ag_lumen');

const order = (changes: Partial<KeyToIssue> = {}): KeyToIssue => ({
  keyId: keyIdOf(secretHash),
  agencyId: agency,
  workspaceId: workspaceOf(agency),
  epoch: 3,
  secretHash,
  lastFour: 'x7Qa',
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

  it('D18: only the hash and the last four characters of the secret are recorded', () => {
    const secret = newKeySecret();
    const lastFour = lastFourOf(secret);
    const [event] = issueKey({ status: 'unknown' }, order({ secretHash: hashSecret(secret), lastFour }), NOW);
    expect(event?.data).toMatchObject({ secretHash: hashSecret(secret), lastFour: secret.slice(48) });
    expect(JSON.stringify(event)).not.toContain(secret.slice(-5));
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

const secret = `svc_live_${'Ab0-_'.repeat(8)}xyz`;

describe('the secret of a key', () => {
  it('D18: is svc_live_ and 43 base64url characters', () => {
    expect(newKeySecret()).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect(isKeySecret(newKeySecret())).toBe(true);
  });

  it('D18: holds 256 bits that differ each time', () => {
    const secrets = Array.from({ length: 200 }, newKeySecret);
    expect(new Set(secrets).size).toBe(200);
    expect(secrets.every((text) => Buffer.from(text.slice(9), 'base64url').length === 32)).toBe(true);
  });

  it.each([
    ['a test credential', secret.replace('live', 'test')],
    ['the id of a key', keyIdOf(hashSecret(secret))],
    ['one character less', secret.slice(0, -1)],
    ['one character more', `${secret}A`],
    ['a character of plain base64', `${secret.slice(0, -1)}+`],
    ['another case of the prefix', secret.replace('svc', 'SVC')],
    ['a space before it', ` ${secret}`],
    ['a line end after it', `${secret}\n`],
    ['nothing', ''],
  ])('D17: %s is none', (_what, text) => {
    expect(isKeySecret(text)).toBe(false);
    expect(keyClaimOf(text)).toBeUndefined();
  });

  it('D18: is stored as SHA-256, in hexadecimal', () => {
    expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('names its key, always the same one and never in the clear', () => {
    const keyId = keyIdOf(hashSecret(secret));
    expect(keyId).toBe(keyIdOf(hashSecret(secret)));
    expect(keyId).not.toBe(keyIdOf(hashSecret(`${secret}A`)));
    expect(keyId).toMatch(/^key_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  it('claims the key of its hash', () => {
    expect(keyClaimOf(secret)).toEqual({ keyId: keyIdOf(hashSecret(secret)), secretHash: hashSecret(secret) });
  });

  it('D18: hashes of any length can be compared', () => {
    expect(sameHash(hashSecret('a'), hashSecret('a'))).toBe(true);
    expect(sameHash(hashSecret('a'), hashSecret('b'))).toBe(false);
    expect(sameHash(hashSecret('a'), '')).toBe(false);
  });
});

it("the presets are those of the specification's table, in its order", () => {
  expect(PRESETS).toEqual({
    read_only: ['workspaces:read', 'creators:read', 'scans:read', 'cases:read', 'usage:read', 'events:read'],
    read_write: [
      'workspaces:read',
      'creators:read',
      'scans:read',
      'cases:read',
      'usage:read',
      'events:read',
      'creators:write',
      'protection:write',
      'scans:write',
      'deindex:write',
    ],
  });
});
