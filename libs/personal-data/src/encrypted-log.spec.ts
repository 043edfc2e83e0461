import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CreatorId,
  ENCRYPTED,
  ERASED,
  type EventLog,
  newEventId,
  newId,
  PersonalDataUnreadable,
  streamName,
  WrongMasterKey,
} from '#kernel';
import { InMemoryEventLog, InMemoryKeyStore, turnsDuring } from '#testing';
import { eventLogContract } from '../../event-log/src/contract/index.js';
import { PersonalDataErased, withEncryptedPersonalData } from './encrypted-log.js';
import { encryptedPersonalOf } from './encrypted-personal.js';
import { KeyRing } from './key-ring.js';
import type { WrappingKeys } from './ports.js';

const under = (key: Buffer): WrappingKeys => ({ current: key, all: [key] });
const wrappingKey = under(Buffer.alloc(32, 1));

eventLogContract('a log with encrypted personal data, over one in memory,', async () => {
  const log = withEncryptedPersonalData(new InMemoryEventLog(), new KeyRing(new InMemoryKeyStore(), wrappingKey));
  return { log, close: () => log.close() };
});

describe('a log with encrypted personal data', () => {
  const mia = newId('creator');
  const ivy = newId('creator');
  const stream = streamName('creator', mia);
  const personal = {
    externalId: 'ext-mia',
    invitee: null,
    identity: { displayName: 'Mia Vale', aliases: ['Mia', 'M.'], verified: true, rank: 7 },
  };
  let inner: InMemoryEventLog;
  let keys: InMemoryKeyStore;
  let ring: KeyRing;
  let log: EventLog;

  beforeEach(() => {
    inner = new InMemoryEventLog();
    keys = new InMemoryKeyStore();
    ring = new KeyRing(keys, wrappingKey);
    log = withEncryptedPersonalData(inner, ring);
  });

  const event = (data: object) => ({
    id: newEventId(),
    type: 'creator.identityObserved.v1',
    data,
    metadata: { at: 1, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null },
  });
  const openedBy = async (reader: EventLog, name = stream) =>
    (await reader.readStream(name)).map(({ data }) => ('personal' in data ? data.personal : undefined));
  const stored = async () => JSON.stringify((await inner.readLog({ after: 0 })).events);
  const read = async (reader: EventLog) => (await reader.readLog({ after: 0 })).events.map(({ data }) => data);

  it('returns what was appended, by stream, by page and to followers', async () => {
    const data = { creatorId: mia, plain: 'plain', personal };
    await log.append(stream, 'none', [event(data), event({ plain: 'nothing personal' })]);
    const [first] = await log.readStream(stream);
    expect(first?.data).toEqual(data);
    expect(await read(log)).toEqual([data, { plain: 'nothing personal' }]);
    const following = new AbortController();
    for await (const page of log.follow({ after: 0, signal: following.signal })) {
      if (page.events.length === 0) continue;
      expect(page.events[0]?.data).toEqual(data);
      following.abort();
    }
  });

  it('decrypts much personal data in several turns of the event loop', async () => {
    const large = { personal: { text: 'x'.repeat(300_000) } };
    for (let n = 0; n < 10; n++) await log.append(stream, 'any', [event(large)]);
    const reading = log.readStream(stream);
    expect(await turnsDuring(reading)).toBeGreaterThanOrEqual(2);
    expect((await reading).map(({ data }) => data)).toEqual(Array.from({ length: 10 }, () => large));
    expect(await turnsDuring(log.readStream(stream, { limit: 2 }))).toBe(0);
  });

  it('stores no personal text, and keeps all else readable', async () => {
    await log.append(stream, 'none', [event({ creatorId: mia, plain: 'plain', personal })]);
    expect(await stored()).not.toMatch(/ext-mia|Mia Vale|"M\."|"rank":7/);
    expect(await stored()).toContain('plain');
  });

  it("encrypts each creator's with that creator's key, also within one append", async () => {
    const roster = streamName('roster', 'wsp');
    await log.append(roster, 'none', [
      event({ creatorId: mia, personal: { externalId: 'ext-mia' } }),
      event({ creatorId: ivy, personal: { externalId: 'ext-ivy' } }),
    ]);
    await ring.destroy(mia, 1);
    expect(await openedBy(log, roster)).toEqual([{ externalId: ERASED }, { externalId: 'ext-ivy' }]);
  });

  it("uses the stream's own creator if an event names none, and refuses personal data without a creator", async () => {
    await log.append(stream, 'none', [event({ personal: { email: 'mia@example.com' } })]);
    expect(await openedBy(log)).toEqual([{ email: 'mia@example.com' }]);
    const nobodys = log.append(streamName('agency', 'ag'), 'none', [event({ personal: { email: 'x' } })]);
    await expect(nobodys).rejects.toThrow('names no creator');
  });

  it('shows stand-ins of the same shape once the key is destroyed, and changes no stored byte', async () => {
    await log.append(stream, 'none', [event({ personal })]);
    const before = await stored();
    await ring.destroy(mia, 1);
    expect(await openedBy(log)).toEqual([
      {
        externalId: ERASED,
        invitee: null,
        identity: { displayName: ERASED, aliases: [ERASED, ERASED], verified: true, rank: 0 },
      },
    ]);
    expect(await stored()).toBe(before);
  });

  it('D72: refuses appends about a creator whose key was destroyed, except to the feed, which stores no text', async () => {
    await ring.destroy(mia, 1);
    const again = event({ personal: { displayName: 'Mia again' } });
    await expect(log.append(stream, 'none', [again])).rejects.toThrow(PersonalDataErased);
    expect(await stored()).toBe('[]');

    const withFeed = withEncryptedPersonalData(inner, ring, new Set(['creator']));
    await withFeed.append(stream, 'none', [again]);
    expect(await stored()).not.toContain('Mia again');
    expect(JSON.parse(await stored())).toMatchObject([{ data: { personal: { ciphertext: null } } }]);
    expect(await openedBy(log)).toEqual([{ displayName: ERASED }]);
  });

  it('D71: refuses to record a text that could not be decrypted, and to create a second key after one was lost', async () => {
    await log.append(stream, 'none', [event({ personal: { displayName: 'Mia' } })]);
    const unread = event({ personal: { names: [ENCRYPTED] } });
    await expect(log.append(stream, 0, [unread])).rejects.toThrow(PersonalDataUnreadable);
    const lost = withEncryptedPersonalData(inner, new KeyRing(new InMemoryKeyStore(), wrappingKey));
    await expect(lost.append(stream, 0, [event({ personal: { displayName: 'M' } })])).rejects.toThrow('key of crt_');
  });

  it.each([
    String.raw`https://leaks.example/\u001a[encrypted]`,
    String.raw`"\\\u001a[encrypted]"`,
    JSON.stringify({ name: ENCRYPTED }),
    '[encrypted]',
    '[erased]',
  ])('D86: records and returns %j as it came', async (text) => {
    const texts = { url: text, names: [text] };
    await log.append(stream, 'none', [event({ personal: texts })]);
    expect(await openedBy(log)).toEqual([texts]);
  });

  it('shows that it is encrypted to a reader without the keys, as of a copy of the log alone', async () => {
    await log.append(stream, 'none', [event({ personal: { displayName: 'Mia' } })]);
    const elsewhere = withEncryptedPersonalData(inner, new KeyRing(new InMemoryKeyStore(), wrappingKey));
    expect(await openedBy(elsewhere)).toEqual([{ displayName: ENCRYPTED }]);
  });

  it('reads nothing, and refuses to write, under another master key', async () => {
    await log.append(stream, 'none', [event({ personal: { displayName: 'Mia' } })]);
    const other = withEncryptedPersonalData(inner, new KeyRing(keys, under(Buffer.alloc(32, 2))));
    expect(await openedBy(other)).toEqual([{ displayName: ENCRYPTED }]);
    await expect(other.append(stream, 0, [event({ personal: { displayName: 'M' } })])).rejects.toThrow(WrongMasterKey);
  });

  it('decrypts a member only in the event that it was encrypted for', async () => {
    await log.append(stream, 'none', [event({ personal: { displayName: 'Mia' } })]);
    const [original] = await inner.readStream(stream);
    await inner.append(stream, 0, [event(original?.data ?? {})]);
    expect(await openedBy(log)).toEqual([{ displayName: 'Mia' }, { displayName: ENCRYPTED }]);
  });

  it('reads events that were recorded without encryption as they are', async () => {
    await inner.append(stream, 'none', [event({ personal })]);
    expect(await openedBy(log)).toEqual([personal]);
  });

  it('decrypts members as builds up to 0.8 stored them', async () => {
    const first = event({ personal: { displayName: 'Mia' } });
    await log.append(stream, 'none', [first]);
    const [recorded] = await inner.readStream(stream);
    const { encryptedFor, ciphertext, shape } = encryptedPersonalOf(recorded?.data ?? {}) ?? {};
    const older = new InMemoryEventLog();
    await older.append(stream, 'none', [
      { ...first, data: { personal: { sealedFor: encryptedFor, sealed: ciphertext, shape } } },
    ]);
    expect(await openedBy(withEncryptedPersonalData(older, ring))).toEqual([{ displayName: 'Mia' }]);
  });

  it('asks the store once for a page of many creators', async () => {
    const creators = Array.from({ length: 20 }, () => newId('creator'));
    for (const creatorId of creators) {
      await log.append(streamName('creator', creatorId), 'none', [event({ personal: { n: creatorId } })]);
    }
    const asked: (readonly CreatorId[])[] = [];
    const counting = new InMemoryKeyStore();
    const get = keys.get.bind(keys);
    counting.get = (ids) => {
      asked.push(ids);
      return get(ids);
    };
    const reader = withEncryptedPersonalData(inner, new KeyRing(counting, wrappingKey));
    expect(await read(reader)).toEqual(creators.map((n) => ({ personal: { n } })));
    expect(asked).toHaveLength(1);
    await read(reader);
    expect(asked).toHaveLength(1);
  });
});
