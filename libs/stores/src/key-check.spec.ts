import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CreatorId,
  ENCRYPTED,
  type EventToAppend,
  MissingKeys,
  newEventId,
  newId,
  StoreUnavailable,
  streamName,
  WrongMasterKey,
} from '#kernel';
import { decrypt } from '#personal-data';
import { Sealing } from '#tamper-evidence';
import { InMemoryDocumentStore, InMemoryEventLog, InMemoryKeyStore, KeysInMemory } from '#testing';
import { checkKeys, type KeyNeed } from './key-check.js';
import { MasterKeys } from './master-keys.js';
import { layered, type StoredEvents, type Stores } from './stores.js';

const EVENTS: StoredEvents = { upcasters: [], recordsShapes: new Set() };
const [A, B, C] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

/** One installation, whose processes come and go. */
class Installation {
  log = new InMemoryEventLog();
  keys = new KeysInMemory();

  process(
    current: Buffer,
    previous?: Buffer,
    keyStore = new InMemoryKeyStore(this.keys),
  ): Stores & { start(need?: KeyNeed, isEmbedded?: boolean): ReturnType<typeof checkKeys> } {
    const masterKeys = new MasterKeys(current, previous);
    const stores = layered(
      { log: this.log, documents: new InMemoryDocumentStore(), personalKeys: keyStore },
      masterKeys,
      EVENTS,
    );
    const { sentinel } = stores;
    return {
      ...stores,
      start: (need = 'serve', isEmbedded = true) =>
        checkKeys({ log: this.log, keyStore, sentinel, keys: masterKeys, isEmbedded }, need),
    };
  }

  async enroll(stores: Stores, creatorId: CreatorId = newId('creator')): Promise<CreatorId> {
    await stores.log.append(streamName('creator', creatorId), 'none', [enrolled]);
    return creatorId;
  }
}

const enrolled: EventToAppend = {
  get id() {
    return newEventId();
  },
  type: 'creator.imported.v1',
  data: { personal: { externalId: 'ext' } },
  metadata: { at: 1, correlationId: 'c', causationId: null, actor: 'test', workspaceId: null },
};

describe('D71: a process starts', () => {
  let installation: Installation;
  beforeEach(() => {
    installation = new Installation();
  });

  it('with any master key on empty stores, and from then on only with that one', async () => {
    const opened = await installation.process(A).start();
    expect(opened?.hashKey).toHaveLength(32);
    expect((await installation.process(A).start())?.hashKey).toEqual(opened?.hashKey);
    await expect(installation.process(B).start()).rejects.toThrow(WrongMasterKey);
    await expect(installation.process(B).start('copy')).rejects.toThrow(WrongMasterKey);
  });

  it('together with others on empty stores only under the key of the first', async () => {
    const outcomes = await Promise.allSettled([A, B, A, B].map((key) => installation.process(key).start()));
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled') % 2;
    expect(outcomes.map(({ status }) => status)).toEqual(
      outcomes.map((_, n) => (n % 2 === winner ? 'fulfilled' : 'rejected')),
    );
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(refusals).toEqual([expect.any(WrongMasterKey), expect.any(WrongMasterKey)]);
  });

  it('on stores from before the sentinel, after it has decrypted a key that is there', async () => {
    await installation.enroll(installation.process(A));
    await expect(installation.process(B).start()).rejects.toThrow(WrongMasterKey);
    expect(installation.keys.sentinel).toBeUndefined();
    expect(await installation.process(A).start()).toBeDefined();
    await expect(installation.process(B).start()).rejects.toThrow(WrongMasterKey);
  });

  it('on a log from before the sentinel without personal data only under the key of its seals', async () => {
    const { log, masterKeys } = installation.process(A);
    await log.append(streamName('agency', 'x'), 'none', [{ ...enrolled, id: newEventId(), data: {} }]);
    await new Sealing(log, masterKeys.sealKeys).sealAll(1);
    await expect(installation.process(B).start()).rejects.toThrow('last seal');
    expect(installation.keys.sentinel).toBeUndefined();
    const second = installation.process(B, A);
    await second.start();
    expect(second.masterKeys.derived('x').current).toEqual(masterKeys.derived('x').current);
    await installation.process(A).start();
  });

  it('on stores from before the sentinel under the key of the creators that are not erased', async () => {
    const first = installation.process(A);
    await installation.enroll(first);
    await installation.enroll(first);
    // The one that is read first.
    for await (const [creatorId] of new InMemoryKeyStore(installation.keys).all()) {
      await first.personalKeys.destroy(creatorId, 1);
      break;
    }
    await installation.process(B, A).start();
    await expect(installation.process(B).start()).rejects.toThrow(WrongMasterKey);
    await first.start();
  });

  it('not if the keys of creators that only the roster knows yet were lost', async () => {
    const first = installation.process(A);
    const data = { creatorId: newId('creator'), personal: { externalId: 'ext' } };
    await first.log.append(streamName('roster', 'x'), 'none', [{ ...enrolled, id: newEventId(), data }]);
    installation.keys = new KeysInMemory();
    await expect(installation.process(A).start()).rejects.toThrow(MissingKeys);
  });

  it('for no purpose while the key store cannot be read', async () => {
    const store = new InMemoryKeyStore(installation.keys);
    store.sentinel = () => Promise.reject(new StoreUnavailable('down'));
    for (const need of ['serve', 'copy', 'read'] as const) {
      await expect(installation.process(A, undefined, store).start(need)).rejects.toThrow(StoreUnavailable);
    }
  });

  it('not if the key store was lost or replaced; a reading process then reads what it can', async () => {
    const first = installation.process(A);
    await first.start();
    const mia = await installation.enroll(first);
    installation.keys = new KeysInMemory();
    await expect(installation.process(A).start()).rejects.toThrow(MissingKeys);
    // A new key store that belongs to an empty log is not the right one either.
    await new Installation().process(A).start();
    const other = new Installation();
    await other.process(A).start();
    installation.keys = other.keys;
    await expect(installation.process(A).start()).rejects.toThrow(MissingKeys);

    await expect(installation.process(A).start('copy')).rejects.toThrow(MissingKeys);
    installation.keys = new KeysInMemory();
    await expect(installation.process(A).start('copy', false)).rejects.toThrow(MissingKeys);
    await expect(installation.process(B).start('copy', false)).rejects.toThrow(MissingKeys);
    await installation.process(A).start('copy');
    await installation.process(A).start('read');
    expect(installation.keys.sentinel).toBeUndefined();
    const [event] = await installation.process(A).log.readStream(streamName('creator', mia));
    expect(event?.data).toEqual({ personal: { externalId: ENCRYPTED } });
  });

  it('for reading alone under any key, and leaves the key store as it is', async () => {
    const first = installation.process(A);
    await installation.enroll(first);
    for (const key of [A, B]) expect(await installation.process(key).start('read')).toBeUndefined();
    expect(installation.keys.sentinel).toBeUndefined();
    await first.start();
    expect(await installation.process(B).start('read')).toBeUndefined();
  });

  it('D85: with the new key and the previous one before a rotation, and encrypts with the previous one', async () => {
    const first = installation.process(A);
    await first.start();
    await installation.enroll(first);
    const second = installation.process(B, A);
    await second.start();
    // Also for what is encrypted or signed before it reads the sentinel again.
    expect(second.masterKeys.derived('x').current).toEqual(first.masterKeys.derived('x').current);
    expect(second.masterKeys.sealKeys.current.publicKey.id).toBe(first.masterKeys.sealKeys.current.publicKey.id);
    const mia = await installation.enroll(second);
    // The others do not have the new key yet.
    expect((await first.personalKeys.keysOf([mia])).get(mia)).toBeInstanceOf(Buffer);
    expect(second.masterKeys.derived('x').current).toEqual(first.masterKeys.derived('x').current);
  });

  it('D85: not without the previous key, or with a wrong one, while a rotation has not ended', async () => {
    await installation.process(A).start();
    const rotating = installation.process(B, A);
    await rotating.start();
    await rotating.sentinel.begin();
    for (const [key, previous] of [[B], [A], [B, C]] as const) {
      await expect(installation.process(key, previous).start()).rejects.toThrow(WrongMasterKey);
    }
    await installation.process(A, B).start();
    await rotating.sentinel.end();
    await installation.process(B).start();
    await expect(installation.process(A).start()).rejects.toThrow(WrongMasterKey);
  });

  it('D72: with the same key of the hashes of erased creators before, during and after a rotation', async () => {
    const before = await installation.process(A).start();
    const rotating = installation.process(B, A);
    await rotating.start();
    await rotating.sentinel.begin();
    const during = await installation.process(B, A).start();
    await rotating.sentinel.end();
    const after = await installation.process(B).start();
    expect([during?.hashKey, after?.hashKey]).toEqual([before?.hashKey, before?.hashKey]);
    expect((await new Installation().process(A).start())?.hashKey).not.toEqual(before?.hashKey);
  });

  it('D85: a process that has both keys wraps with the new one as soon as another has begun the rotation', async () => {
    await installation.process(A).start();
    const store = new InMemoryKeyStore(installation.keys);
    const add = store.add.bind(store);
    const added: (readonly [CreatorId, Buffer])[] = [];
    store.add = async (keys) => {
      added.push(...keys);
      return add(keys);
    };
    const other = installation.process(B, A, store);
    await other.start();
    const rotating = installation.process(B, A);
    await rotating.start();
    await rotating.sentinel.begin();
    await installation.enroll(other);
    const { current } = new MasterKeys(B).derived('personal keys');
    expect(added.map(([creatorId, wrapped]) => decrypt(wrapped, current, creatorId)?.length)).toEqual([32]);
  });

  it('D85: a key that another process makes while the rotation begins is under the new master key', async () => {
    await installation.process(A).start();
    const other = installation.process(B, A);
    await other.start();
    const rotating = installation.process(B, A);
    await rotating.start();
    const add = InMemoryKeyStore.prototype.add;
    const store = new InMemoryKeyStore(installation.keys);
    // The rotation begins, and passes over all keys, just before the key is there.
    store.add = async (keys) => {
      await rotating.sentinel.begin();
      expect(await rotating.personalKeys.rewrapAll()).toEqual({ rewrapped: 0, unreadable: [] });
      return add.call(store, keys);
    };
    const stores = layered(
      { log: installation.log, documents: new InMemoryDocumentStore(), personalKeys: store },
      other.masterKeys,
      EVENTS,
    );
    const mia = await installation.enroll(stores);
    await rotating.sentinel.end();
    const later = installation.process(B);
    await later.start();
    expect((await later.personalKeys.keysOf([mia])).get(mia)).toBeInstanceOf(Buffer);
  });
});

describe('a key store file from before the sentinel', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gets its table', async () => {
    const file = join(folder, 'personal-keys.db');
    const old = new DatabaseSync(file);
    old.exec(
      'CREATE TABLE personal_keys (creator_id TEXT PRIMARY KEY, wrapped BLOB, destroyed_at INTEGER) WITHOUT ROWID',
    );
    old.close();
    const { openSqliteKeyStore } = await import('#key-store');
    const store = openSqliteKeyStore(file);
    expect(await store.sentinel()).toBeUndefined();
    await store.close();
  });
});
