import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { openSqliteDocumentStore, readSqliteCheckpoints } from '#document-store';
import { openSqliteEventLog, openSqliteReadableLog } from '#event-log';
import { type CreatorId, DATA_FILES, type EventToAppend, newEventId, newId } from '#kernel';
import { openSqliteKeyStore, openSqliteKeyStoreForReading } from '#key-store';
import { checkBackup, type FolderAccess } from './check-backup.js';
import { type RestoreOptions, restoreBackup } from './restore-backup.js';
import { RestoringFolder } from './restoring-folder.js';
import { takeBackup } from './take-backup.js';

const root = mkdtempSync(join(tmpdir(), 'backup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(root, `${++folders}`);

const open = {
  log: (folder: string) => openSqliteEventLog({ file: join(folder, DATA_FILES.log) }),
  documents: (folder: string) => openSqliteDocumentStore({ file: join(folder, DATA_FILES.documents) }),
};
const access: FolderAccess = {
  readLog: (folder) => openSqliteReadableLog(join(folder, DATA_FILES.log)),
  readKeys: (folder) => openSqliteKeyStoreForReading(join(folder, DATA_FILES.keys), true),
  readCheckpoints: (folder, runners) => readSqliteCheckpoints(join(folder, DATA_FILES.documents), runners),
  masterKeyFault: () => undefined,
  personalKeys: (folder) => openSqliteKeyStore(join(folder, DATA_FILES.keys)),
};
const withStores: RestoreOptions['withStores'] = async (folder, task) => {
  const stores = { log: open.log(folder), documents: open.documents(folder) };
  try {
    return await task(stores);
  } finally {
    await stores.log.close();
    await stores.documents.close();
  }
};
const check = (folder: string) => checkBackup(folder, access, ['runner']);
const options: RestoreOptions = {
  ...access,
  runners: ['runner'],
  clock: { now: () => 0, elapsed: () => 0 },
  sessions: ['dashboard_sessions'],
  withStores,
  acceptedBy: undefined,
};
const restore = (from: string, to: string, changes: Partial<RestoreOptions> = {}) =>
  restoreBackup(from, to, { ...options, ...changes });

const METADATA = { at: 0, correlationId: 'c', causationId: null, actor: 'process:test', workspaceId: null };
const about = (creatorId: CreatorId): EventToAppend => ({
  id: newEventId(),
  type: 'creator.enrolled.v1',
  data: { personal: { encryptedFor: creatorId, ciphertext: '', shape: '' } },
  metadata: METADATA,
});

/** The key first, then the event that needs it, as the service does. */
const enroll = async (folder: string, creatorId = newId('creator')): Promise<CreatorId> => {
  const [keys, log] = [access.personalKeys(folder), open.log(folder)];
  await keys.add(new Map([[creatorId, Buffer.from(`key of ${creatorId}`)]]));
  await log.append(`creator-${creatorId}`, 'any', [about(creatorId)]);
  await keys.close();
  await log.close();
  return creatorId;
};

const withKeys = async <Result>(
  folder: string,
  task: (keys: ReturnType<FolderAccess['personalKeys']>) => Promise<Result>,
) => {
  const keys = access.personalKeys(folder);
  try {
    return await task(keys);
  } finally {
    await keys.close();
  }
};
const eventsIn = async (folder: string) => {
  const log = access.readLog(folder);
  const events = await Array.fromAsync(log.events());
  await log.close();
  return events;
};
const statusOf = (folder: string, creatorId: CreatorId) =>
  withKeys(folder, async (keys) => (await keys.get([creatorId])).get(creatorId)?.status);

/** A data directory with one creator and a sentinel, and a backup of it. */
const backedUp = async () => {
  const dataDir = newFolder();
  mkdirSync(dataDir);
  const mia = await enroll(dataDir);
  await withKeys(dataDir, (keys) => keys.addSentinel(Buffer.from('sentinel')));
  writeFileSync(join(dataDir, DATA_FILES.masterKey), 'a key', { mode: 0o600 });
  const folder = newFolder();
  await takeBackup(dataDir, folder);
  return { dataDir, mia, folder };
};

describe('a backup', () => {
  it('begins again where something is written between its snapshots, so that it is of one moment', async () => {
    const { dataDir } = await backedUp();
    const late = newId('creator');
    const exec = DatabaseSync.prototype.exec;
    let begun = 0;
    let isWriting = false;
    const spied = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      exec.call(this, sql);
      // After the snapshot of the log, and before that of the keys.
      if (sql !== 'BEGIN' || ++begun !== 2 || isWriting) return;
      isWriting = true;
      const log = new DatabaseSync(join(dataDir, DATA_FILES.log));
      exec.call(
        log,
        "INSERT INTO events SELECT max(position) + 1, stream, revision + 1, kind, id || 'x', body FROM events",
      );
      log.close();
    });
    await enroll(dataDir, late);
    [begun, isWriting] = [0, false];
    const folder = newFolder();
    await takeBackup(dataDir, folder);
    spied.mockRestore();
    expect(isWriting).toBe(true);
    expect(begun).toBe(4);
    expect(await check(folder)).toMatchObject({ events: 3, personalKeys: 2, faults: [] });
  });

  it('does not stop writers, and leaves no half folder that looks like a whole one', async () => {
    const { dataDir } = await backedUp();
    const folder = newFolder();
    const progress: number[] = [];
    const taking = takeBackup(dataDir, folder, { onProgress: (share) => progress.push(share) });
    await enroll(dataDir);
    await taking;
    expect(progress.at(-1)).toBe(1);
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect((await check(folder)).faults).toEqual([]);
  });

  it('without the key of a creator, or without a file, is not whole', async () => {
    const { folder } = await backedUp();
    const keys = new DatabaseSync(join(folder, DATA_FILES.keys));
    keys.exec('DELETE FROM personal_keys');
    keys.close();
    expect((await check(folder)).faults).toEqual([expect.stringMatching(/^personal-keys.db lacks the key of crt_/)]);
    rmSync(join(folder, DATA_FILES.keys));
    expect((await check(folder)).faults).toEqual(['personal-keys.db is missing']);
    expect(existsSync(join(folder, DATA_FILES.keys))).toBe(false);
  });

  it('whose documents are of a later moment is not whole', async () => {
    const { folder } = await backedUp();
    const documents = open.documents(folder);
    await documents.write([], { name: 'runner', position: 99, fence: 1 });
    await documents.close();
    expect((await check(folder)).faults).toEqual([expect.stringContaining('is newer than events.db')]);
  });
});

describe('a restore', () => {
  it('keeps the marks of destroyed keys, the master key and the replaced files', async () => {
    const { dataDir, mia, folder } = await backedUp();
    const ivy = await enroll(dataDir);
    await withKeys(dataDir, async (keys) => {
      for (const id of [mia, ivy]) await keys.destroy(id, 7);
    });
    const { replaced = '', ...restored } = await restore(folder, dataDir);
    expect(restored).toMatchObject({ events: 1, erasedSince: [mia], erasedUnknown: [ivy], lostEvents: 1, unread: [] });
    expect([await statusOf(dataDir, mia), await statusOf(dataDir, ivy)]).toEqual(['destroyed', 'destroyed']);
    expect(readFileSync(join(dataDir, DATA_FILES.masterKey), 'utf8')).toBe('a key');
    expect(readdirSync(replaced).toSorted()).toEqual(expect.arrayContaining(['events.db', 'personal-keys.db']));
  });

  it('D106: forgets no mark of stores that an earlier build had moved away when it was interrupted', async () => {
    const { dataDir, mia, folder } = await backedUp();
    await withKeys(dataDir, (keys) => keys.destroy(mia, 7));
    // As a kill leaves it, after the replaced files were moved and before the others are in their place.
    const away = join(dataDir, 'replaced-2026-01-01');
    mkdirSync(away);
    for (const name of readdirSync(dataDir).filter((one) => one.includes('.db')))
      renameSync(join(dataDir, name), join(away, name));
    expect((await restore(folder, dataDir)).erasedSince).toEqual([mia]);
    expect(await statusOf(dataDir, mia)).toBe('destroyed');
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
  });

  it('remembers the later seal of the replaced key store, unless that is of another installation', async () => {
    const seal = { id: 's', count: 5, root: 'r', signature: 'x' };
    for (const sentinel of ['sentinel', 'another']) {
      const { dataDir, folder } = await backedUp();
      await withKeys(dataDir, async (keys) => {
        await keys.replaceSentinel(Buffer.from('sentinel'), Buffer.from(sentinel));
        await keys.rememberSeal(seal, undefined);
      });
      await restore(folder, dataDir);
      const remembered = await withKeys(dataDir, (keys) => keys.lastSeal());
      expect(remembered).toEqual(sentinel === 'sentinel' ? seal : undefined);
    }
  });

  it('D107: reads what is in the write-ahead log of a copied folder, and changes nothing of it', async () => {
    const { dataDir } = await backedUp();
    const log = open.log(dataDir);
    await log.append('thing-1', 'none', [{ ...about(newId('creator')), data: {} }]);
    const copied = newFolder();
    cpSync(dataDir, copied, { recursive: true });
    await log.close();
    rmSync(join(copied, `${DATA_FILES.log}-shm`));
    const state = () => readdirSync(copied).map((name) => [name, readFileSync(join(copied, name)).toString('base64')]);
    const before = state();
    expect(statSync(join(copied, `${DATA_FILES.log}-wal`)).size).toBeGreaterThan(0);
    expect(await check(copied)).toMatchObject({ events: 2, faults: [] });
    const to = newFolder();
    expect(await restore(copied, to)).toMatchObject({ events: 2 });
    expect(state()).toEqual(before);
    expect(await eventsIn(to)).toHaveLength(2);
  });

  it('D105: ends the sessions of the dashboard', async () => {
    const { dataDir, folder } = await backedUp();
    const documents = open.documents(folder);
    await documents.ensure([{ name: 'dashboard_sessions', indexes: [] }]);
    await documents.write([{ collection: 'dashboard_sessions', put: [{ id: 'one' }, { id: 'two' }] }]);
    await documents.close();
    expect(await restore(folder, dataDir)).toMatchObject({ endedSessions: 2 });
    const restored = open.documents(dataDir);
    expect(await restored.collections()).toEqual([]);
    await restored.close();
  });

  it('D105: reads a log around a damaged page', async () => {
    const { dataDir, folder } = await backedUp();
    const log = open.log(dataDir);
    const things = Array.from({ length: 300 }, () => ({ ...about(newId('creator')), data: { text: 'x'.repeat(500) } }));
    await log.append('thing-1', 'none', things);
    const erased: CreatorId = newId('creator');
    await log.append(`creator-${erased}`, 'none', [
      { ...about(erased), type: 'creator.personalDataErased.v1', data: {} },
    ]);
    await log.close();
    const file = join(dataDir, DATA_FILES.log);
    const bytes = readFileSync(file);
    // A page that has nothing but texts.
    const page = Math.floor(bytes.indexOf('x'.repeat(500), bytes.length / 2) / 8_192);
    writeFileSync(file, bytes.fill(0, page * 8_192, (page + 1) * 8_192));
    const restored = await restore(folder, dataDir);
    expect(restored).toMatchObject({ erasedUnknown: [erased], lostEvents: null });
    expect(restored.unread).toEqual([expect.stringMatching(/^events.db can be read in part only/)]);
  });

  it('D106: is finished by the same command only, once everything is prepared', async () => {
    const { dataDir, folder } = await backedUp();
    const other = newFolder();
    await takeBackup(dataDir, other);
    const finish = jest.spyOn(RestoringFolder.prototype, 'finish').mockImplementation(() => {
      throw new Error('killed');
    });
    await expect(restore(folder, dataDir)).rejects.toThrow('killed');
    finish.mockRestore();
    await expect(restore(other, dataDir)).rejects.toThrow(`run it again, with --from ${folder}`);
    await expect(takeBackup(dataDir, newFolder())).rejects.toThrow('run the restore again');
    expect(await restore(folder, dataDir)).toMatchObject({ events: 1, lostEvents: 0 });
  });

  it('D106: leaves nothing behind where it fails', async () => {
    const { dataDir, folder } = await backedUp();
    const before = readdirSync(dataDir).toSorted();
    const failing = () => Promise.reject(new Error('wrong master key'));
    await expect(restore(folder, dataDir, { withStores: failing })).rejects.toThrow('wrong master key');
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
  });

  it.each([DATA_FILES.log, DATA_FILES.keys, DATA_FILES.documents])(
    'D106: is not stopped by a folder in the place of %s, and keeps it',
    async (name) => {
      const { dataDir, folder } = await backedUp();
      rmSync(join(dataDir, name), { force: true });
      mkdirSync(join(dataDir, name));
      const { replaced = '', unread } = await restore(folder, dataDir);
      expect(unread).toHaveLength(name === DATA_FILES.documents ? 0 : 1);
      expect(statSync(join(replaced, name)).isDirectory()).toBe(true);
      expect((await check(dataDir)).faults).toEqual([]);
    },
  );

  it('D106: keeps a write-ahead log whose file is gone', async () => {
    const { folder } = await backedUp();
    const dataDir = newFolder();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, `${DATA_FILES.log}-wal`), 'frames');
    const { replaced = '' } = await restore(folder, dataDir);
    expect(readFileSync(join(replaced, `${DATA_FILES.log}-wal`), 'utf8')).toBe('frames');
  });

  it.each(['restoring', 'restoring/ready'])('D107: deletes no backup that lies in %s', async (name) => {
    const { dataDir, folder } = await backedUp();
    const from = join(dataDir, name);
    cpSync(folder, from, { recursive: true });
    await expect(restore(from, dataDir)).rejects.toThrow('was left by an interrupted restore');
    expect(readdirSync(from)).toEqual(readdirSync(folder));
  });

  it('is refused into a folder that is in use, and from one that is not whole, and changes nothing', async () => {
    const { dataDir, folder } = await backedUp();
    const before = readdirSync(dataDir).toSorted();
    const log = open.log(dataDir);
    await expect(restore(folder, dataDir)).rejects.toThrow(`${dataDir} is in use`);
    await log.close();
    rmSync(join(folder, DATA_FILES.log));
    await expect(restore(folder, dataDir)).rejects.toThrow('events.db is missing');
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
  });
});
