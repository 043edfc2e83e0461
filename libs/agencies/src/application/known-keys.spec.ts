import { describe, expect, it } from '@jest/globals';
import { agencyId } from '#kernel';
import { workspaceOf } from '../domain/agency.js';
import type { ApiKeyEvent } from '../domain/api-key.js';
import { hashSecret, keyClaimOf, keyIdOf, newKeySecret } from '../domain/key-secret.js';
import { KnownKeys } from './known-keys.js';

const lumen = agencyId('agency_lumen');

const issued = (expiresAt: number | null, secret = newKeySecret()) => {
  const secretHash = hashSecret(secret);
  const keyId = keyIdOf(secretHash);
  const data = { keyId, agencyId: lumen, workspaceId: workspaceOf(lumen), epoch: 1, name: null, scopes: [] };
  return { keyId, event: { type: 'apiKey.issued.v1', data: { ...data, expiresAt, secretHash } } satisfies ApiKeyEvent };
};

describe('the keys that a process knows from the log', () => {
  it('D70: are those that were issued, each until it expires', () => {
    const known = new KnownKeys();
    const [passing, lasting, other] = [issued(1_000), issued(null), issued(null)];
    known.apply(passing.event);
    known.apply(lasting.event);
    expect(known.endOf(passing.keyId)).toBe(1_000);
    expect(known.endOf(lasting.keyId)).toBe(Number.POSITIVE_INFINITY);
    expect(known.endOf(other.keyId)).toBeUndefined();
  });

  it('are claimed by their secrets, as unknown ones are', () => {
    const known = new KnownKeys();
    const [secret, other] = [newKeySecret(), newKeySecret()];
    known.apply(issued(null, secret).event);
    for (const text of [secret, other]) expect(known.claimOf(text)).toEqual(keyClaimOf(text));
    expect(known.claimOf('svc_live_short')).toBeUndefined();
  });

  it('D70: stay known when they are revoked, and are over then', () => {
    const known = new KnownKeys();
    const { keyId, event } = issued(null);
    known.apply(event);
    known.apply({ type: 'apiKey.revoked.v1', data: { keyId, agencyId: lumen } });
    expect(known.endOf(keyId)).toBe(Number.NEGATIVE_INFINITY);
  });
});
