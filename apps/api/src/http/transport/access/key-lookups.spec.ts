import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashSecret, type IssuedKey, type KeyClaim, KnownKeys, keyIdOf, newKeySecret, workspaceOf } from '#agencies';
import { MAX_LOOKUPS_PER_SECOND } from '#http';
import { agencyId, DomainError, StoreUnavailable } from '#kernel';
import { KeyLookups } from './key-lookups.js';

const lumen = agencyId('agency_lumen');
const now = 1_000_000;

const keyOf = (secret: string, expiresAt: number | null = null): IssuedKey => {
  const secretHash = hashSecret(secret);
  const data = { agencyId: lumen, workspaceId: workspaceOf(lumen), epoch: 1, name: null, scopes: [] };
  return { ...data, keyId: keyIdOf(secretHash), secretHash, expiresAt };
};

/** The store: what has been issued, and how often it was asked. */
class IssuedKeys {
  readonly issued = new Map<string, IssuedKey>();
  opened = 0;
  isDown = false;

  async open({ keyId }: KeyClaim): Promise<IssuedKey> {
    this.opened++;
    await Promise.resolve();
    if (this.isDown) throw new StoreUnavailable('down');
    const key = this.issued.get(keyId);
    if (key === undefined) throw new DomainError('unauthorized');
    return key;
  }
}

let store: IssuedKeys;
let known: KnownKeys;
let keys: KeyLookups;

beforeEach(() => {
  store = new IssuedKeys();
  known = new KnownKeys();
  keys = new KeyLookups(store, known);
});

const issue = ({ expiresAt = null, isFollowed = true }: { expiresAt?: number | null; isFollowed?: boolean } = {}) => {
  const secret = newKeySecret();
  const key = keyOf(secret, expiresAt);
  store.issued.set(key.keyId, key);
  if (isFollowed) known.apply({ type: 'apiKey.issued.v1', data: key });
  return { secret, key };
};

/** The key's id, or the code of the refusal. */
const ask = async (secret: string, at = now, address = '1.1.1.1') => {
  try {
    return (await keys.authenticate(secret, at, () => address)).keyId;
  } catch (error) {
    return error instanceof DomainError ? error.code : 'store down';
  }
};

const flood = async (count: number, at = now) => {
  const outcomes: string[] = [];
  for (let left = count; left > 0; left--) outcomes.push(await ask(newKeySecret(), at));
  return outcomes;
};

describe('unknown keys', () => {
  it('D70: are looked up ten times a second from one address, then refused without a lookup', async () => {
    const outcomes = await flood(1_000);
    expect(outcomes.slice(0, MAX_LOOKUPS_PER_SECOND)).toEqual(Array(MAX_LOOKUPS_PER_SECOND).fill('unauthorized'));
    expect(new Set(outcomes.slice(MAX_LOOKUPS_PER_SECOND))).toEqual(new Set(['rate_limited']));
    expect(store.opened).toBe(MAX_LOOKUPS_PER_SECOND);
    expect((await flood(1_000, now + 1_000)).filter((outcome) => outcome === 'unauthorized')).toHaveLength(10);
  });

  it('D70: are refused from memory if they were refused before, and do not count again', async () => {
    const secret = newKeySecret();
    for (let times = 0; times < 100; times++) expect(await ask(secret)).toBe('unauthorized');
    expect(store.opened).toBe(1);
    expect(await flood(MAX_LOOKUPS_PER_SECOND - 1)).not.toContain('rate_limited');
  });

  it('D70: say when to try again', async () => {
    await flood(MAX_LOOKUPS_PER_SECOND);
    const refused = keys.authenticate(newKeySecret(), now, () => '1.1.1.1');
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
  });

  it('D17: that do not have the form of a key are refused without a lookup', async () => {
    for (let times = 0; times < 100; times++) expect(await ask('svc_live_x')).toBe('unauthorized');
    expect(store.opened).toBe(0);
  });

  it('D70: do not count as unknown if the store did not answer', async () => {
    const { secret, key } = issue({ isFollowed: false });
    store.isDown = true;
    expect(await ask(secret)).toBe('store down');
    store.isDown = false;
    expect(await ask(secret)).toBe(key.keyId);
  });
});

describe('issued keys', () => {
  it('D70: are valid with any number of unknown ones from their address, new ones too', async () => {
    const before = issue();
    await flood(100);
    expect(await ask(before.secret)).toBe(before.key.keyId);
    const after = issue();
    expect(await ask(after.secret)).toBe(after.key.keyId);
  });

  it('D70: do not count, also before their events have been followed', async () => {
    for (let times = 0; times < 50; times++) {
      const { secret, key } = issue({ isFollowed: false });
      expect(await Promise.all([ask(secret), ask(secret)])).toEqual([key.keyId, key.keyId]);
    }
    expect(await flood(MAX_LOOKUPS_PER_SECOND)).not.toContain('rate_limited');
  });

  it('D70: do not count in any number of concurrent requests before their events have been followed', async () => {
    const { secret, key } = issue({ isFollowed: false });
    const requests = Array.from({ length: 50 }, () => ask(secret));
    expect(new Set(await Promise.all(requests))).toEqual(new Set([key.keyId]));
    expect(store.opened).toBe(1);
  });

  it('D70: that were found before their events have been followed are valid from then on', async () => {
    const { secret, key } = issue({ isFollowed: false });
    expect(await ask(secret)).toBe(key.keyId);
    await flood(100);
    expect(await ask(secret)).toBe(key.keyId);
  });

  it('D70: that were refused before they were known are valid once they are', async () => {
    const secret = newKeySecret();
    expect(await ask(secret)).toBe('unauthorized');
    const key = keyOf(secret);
    store.issued.set(key.keyId, key);
    known.apply({ type: 'apiKey.issued.v1', data: key });
    expect(await ask(secret)).toBe(key.keyId);
  });

  it('D17, D70: that are revoked or have expired are unauthorized, cost no lookup, and never count', async () => {
    const [revoked, expired] = [issue(), issue({ expiresAt: now })];
    known.apply({ type: 'apiKey.revoked.v1', data: { keyId: revoked.key.keyId, agencyId: lumen } });
    await flood(MAX_LOOKUPS_PER_SECOND);
    const opened = store.opened;
    for (const { secret } of [revoked, expired]) expect(await ask(secret)).toBe('unauthorized');
    expect(store.opened).toBe(opened);
  });
});
