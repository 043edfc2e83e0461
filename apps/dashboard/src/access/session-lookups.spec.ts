import { beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenSession, SessionSecret } from '#dashboard';
import { DomainError, SECOND } from '#kernel';
import { MAX_LOOKUPS_PER_SECOND } from '../../../api/src/http/transport/access/lookup-allowance.js';
import { SessionLookups } from './session-lookups.js';

const now = 1_000_000;

/** The store: which sessions there are, and how often it was asked. */
class KeptSessions {
  readonly ids = new Set<string>();
  asked = 0;

  async find(secret: SessionSecret): Promise<OpenSession | undefined> {
    this.asked++;
    await Promise.resolve();
    return this.ids.has(secret.id) ? ({ secret } as OpenSession) : undefined;
  }
}

let store: KeptSessions;
let lookups: SessionLookups;

beforeEach(() => {
  store = new KeptSessions();
  lookups = new SessionLookups(store);
});

const start = (): SessionSecret => {
  const secret = SessionSecret.create();
  store.ids.add(secret.id);
  return secret;
};

const ask = async (secret: SessionSecret, at = now, address = '1.1.1.1') => {
  try {
    return (await lookups.find(secret, at, () => address)) === undefined ? 'none' : 'found';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

const flood = async (count: number) => {
  const outcomes: string[] = [];
  for (let left = count; left > 0; left--) outcomes.push(await ask(SessionSecret.create()));
  return outcomes;
};

describe('lookups of sessions', () => {
  it('D70: an address has at most ten that find none in a second', async () => {
    expect((await flood(20)).filter((outcome) => outcome === 'none')).toHaveLength(MAX_LOOKUPS_PER_SECOND);
    expect(store.asked).toBe(MAX_LOOKUPS_PER_SECOND);
    expect(await ask(SessionSecret.create(), now, '2.2.2.2')).toBe('none');
    expect(await ask(SessionSecret.create(), now + SECOND)).toBe('none');
  });

  it('do not count for those that are found, and a flood from its address does not lock out a known one', async () => {
    const known = start();
    for (let left = 2 * MAX_LOOKUPS_PER_SECOND; left > 0; left--) expect(await ask(start())).toBe('found');
    expect(await ask(known)).toBe('found');
    expect(await flood(MAX_LOOKUPS_PER_SECOND + 1)).toContain('rate_limited');
    expect(await ask(known)).toBe('found');
    expect(await ask(start())).toBe('rate_limited');
  });

  it('are shared by the concurrent first requests of a session', async () => {
    const secret = start();
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => ask(secret)));
    expect([new Set(outcomes), store.asked]).toEqual([new Set(['found']), 1]);
  });

  it('count again when the session has ended', async () => {
    const secret = start();
    expect(await ask(secret)).toBe('found');
    store.ids.clear();
    expect(await ask(secret)).toBe('none');
    await flood(MAX_LOOKUPS_PER_SECOND);
    expect(await ask(secret)).toBe('rate_limited');
  });
});
