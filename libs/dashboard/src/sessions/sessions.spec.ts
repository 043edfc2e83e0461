import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { agencyId, HOUR, MINUTE, SECOND, silentLogger } from '#kernel';
import { InMemoryDocumentStore } from '#testing';
import { DASHBOARD_PEOPLE, NamedPeople } from '../people/named-people.js';
import { claimsState, isRenewing, startRenewal } from './session.js';
import { type ProviderTokens, type SessionKeys, SessionSecret } from './session-secret.js';
import { DASHBOARD_SESSIONS, Sessions } from './sessions.js';

const PERSON = { issuer: 'i', subject: 's', userId: null, name: null, agencies: [], roles: [] };
const [KEY, OTHER_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const KEYS: SessionKeys = { current: KEY, all: [KEY] };
const create = () => SessionSecret.create(KEYS);
const TOKENS: ProviderTokens = { access: 'access-1', refresh: 'refresh-1', sources: ['idToken'] };

let now: number;
let documents: InMemoryDocumentStore;
let sessions: Sessions;
beforeEach(async () => {
  now = Date.UTC(2026, 10, 26);
  documents = new InMemoryDocumentStore();
  await documents.ensure([DASHBOARD_SESSIONS, DASHBOARD_PEOPLE]);
  const clock = { now: () => now, elapsed: () => now };
  sessions = new Sessions(documents, clock, silentLogger, KEYS, new NamedPeople(documents, clock));
});

describe('A session', () => {
  it('is found by its secret alone', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    expect((await sessions.find(secret))?.session.person).toEqual(PERSON);
    expect(await sessions.find(create())).toBeUndefined();
    const [stored] = await documents.find(DASHBOARD_SESSIONS.name, { index: 'by_end', limit: 10 });
    for (const text of [secret.text, 'access-1', 'refresh-1']) expect(JSON.stringify(stored)).not.toContain(text);
  });

  it('opens its tokens with its secret alone', async () => {
    const { secret, session } = await sessions.start(PERSON, TOKENS);
    expect(await secret.open(session.tokens)).toEqual(TOKENS);
    await expect(create().open(session.tokens)).rejects.toThrow();
  });

  it('writes its last use once a minute', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    now += MINUTE - 1;
    expect((await sessions.find(secret))?.session.version).toBe(1);
    now += 1;
    expect((await sessions.find(secret))?.session).toMatchObject({ version: 2, usedAt: now });
  });

  it('ends half an hour after the last use that was written, and eight hours after its start', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    const startedAt = now;
    while (now + 29 * MINUTE < startedAt + 8 * HOUR) {
      now += 29 * MINUTE;
      expect(await sessions.find(secret)).toBeDefined();
    }
    now = startedAt + 8 * HOUR;
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await documents.count(DASHBOARD_SESSIONS.name)).toBe(0);
  });

  it.each([
    ['began', async () => undefined],
    [
      'was used last',
      async (secret: SessionSecret) => {
        now += 20 * MINUTE;
        await sessions.find(secret);
        now -= 20 * MINUTE;
      },
    ],
  ])('D111: ends if it %s while the clock was ahead', async (_, use) => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    await use(secret);
    now -= 10 * MINUTE;
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await documents.count(DASHBOARD_SESSIONS.name)).toBe(0);
  });

  it('D93, D111: goes on in a process whose clock is a little behind', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    now -= SECOND;
    expect(await sessions.find(secret)).toBeDefined();
  });

  it('D111: renews claims, and claims a renewal, of a clock that was ahead', async () => {
    const { session } = await sessions.start(PERSON, TOKENS);
    const renewing = { ...session, ...startRenewal(now) };
    const states = (at: number) => [claimsState(renewing, at), isRenewing(renewing, at)];
    expect(states(now)).toEqual(['fresh', true]);
    expect(states(now + MINUTE)).toEqual(['fresh', false]);
    expect(states(now - HOUR)).toEqual(['stale', false]);
  });

  it('keeps all of several changes at the same moment', async () => {
    const opened = await sessions.start(PERSON, TOKENS);
    const [one, two] = [agencyId('agency_one'), agencyId('agency_two')];
    const add = (id: typeof one) => sessions.change(opened, ({ owned }) => ({ owned: [...owned, id] }));
    await Promise.all([add(one), add(two)]);
    expect((await sessions.find(opened.secret))?.session.owned.toSorted()).toEqual([one, two]);
  });

  it('notes its use once for many requests at the same moment', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    now += MINUTE;
    const found = await Promise.all(Array.from({ length: 34 }, () => sessions.find(secret)));
    expect(found.map((each) => each?.session.version)).toEqual(Array(34).fill(2));
  });

  it('cannot be changed after its end', async () => {
    const opened = await sessions.start(PERSON, TOKENS);
    await sessions.end(opened.secret);
    expect(await sessions.change(opened, () => ({ owned: [] }))).toBeUndefined();
    expect(await sessions.find(opened.secret)).toBeUndefined();
  });

  it('D109: an unknown or ended one is not looked up again and again', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    await sessions.end(secret);
    const get = jest.spyOn(documents, 'get');
    const unknown = Array.from({ length: 20 }, () => SessionSecret.create({ current: OTHER_KEY, all: [OTHER_KEY] }));
    for (const each of [...unknown, ...Array<SessionSecret>(20).fill(secret)]) {
      expect(await sessions.find(each)).toBeUndefined();
    }
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('D85: goes on while the master key is rotated', async () => {
    const { secret } = await sessions.start(PERSON, TOKENS);
    const rotated = { current: OTHER_KEY, all: [OTHER_KEY, KEY] };
    const clock = { now: () => now, elapsed: () => now };
    expect(
      await new Sessions(documents, clock, silentLogger, rotated, new NamedPeople(documents, clock)).find(secret),
    ).toBeDefined();
  });

  it('is deleted by a later one when nobody comes back', async () => {
    for (let number = 0; number < 3; number += 1) await sessions.start(PERSON, TOKENS);
    now += HOUR;
    await sessions.start(PERSON, TOKENS);
    // The deletion is not waited for.
    await new Promise(setImmediate);
    expect(await documents.count(DASHBOARD_SESSIONS.name)).toBe(1);
  });
});

describe('A secret', () => {
  it('is 256 bits, and other texts are none', () => {
    const { text } = create();
    expect(SessionSecret.parse(text)?.id).toMatch(/^[0-9a-f]{64}$/);
    for (const other of [undefined, '', text.slice(1), `${text}A`, text.replace(/.$/, '+')]) {
      expect(SessionSecret.parse(other)).toBeUndefined();
    }
  });

  it('has a token for changes that says nothing about it', () => {
    const [one, two] = [create(), create()];
    expect(one.isCsrfToken(one.csrfToken)).toBe(true);
    for (const wrong of [undefined, '', one.text, two.csrfToken]) expect(one.isCsrfToken(wrong)).toBe(false);
  });
});
