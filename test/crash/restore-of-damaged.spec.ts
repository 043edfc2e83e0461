import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openSqliteKeyStore } from '#key-store';
import { Restores } from './support/restores.js';

// A process of the service is started and waited for; on a crowded machine that takes its time.
jest.setTimeout(300_000);

let restores: Restores;

beforeAll(async () => {
  restores = await Restores.open();
});
afterAll(() => restores.close());

/** A copy of the data directory, with a file that got damaged. */
const damaged = (...damages: readonly (readonly [name: string, damage: (file: string) => void])[]) => {
  const dataDir = restores.copied();
  for (const [name, damage] of damages) damage(join(dataDir, name));
  return dataDir;
};
const replacedBy = (program: string) => (file: string) => {
  rmSync(file, { force: true });
  execFileSync(program, [file]);
};
const DAMAGES: readonly (readonly [string, (file: string) => void])[] = [
  ['is missing', (file) => rmSync(file)],
  ['is empty', (file) => writeFileSync(file, '')],
  ['is truncated', (file) => truncateSync(file, Math.floor(statSync(file).size / 2))],
  ['is overwritten', (file) => writeFileSync(file, 'no database '.repeat(3_000))],
  [
    'is overwritten in the middle',
    (file) => {
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.fill(1, 4_096, bytes.length / 2));
    },
  ],
  [
    'is that of another program',
    (file) => {
      rmSync(file);
      const database = new DatabaseSync(file);
      database.exec('CREATE TABLE things (name TEXT)');
      database.close();
    },
  ],
  ['has a damaged write-ahead log', (file) => writeFileSync(`${file}-wal`, 'no log '.repeat(1_000))],
  ['is a pipe', replacedBy('mkfifo')],
  ['is a folder', replacedBy('mkdir')],
];
const [LOG, KEYS] = ['events.db', 'personal-keys.db'];
const refusal = async (dataDir: string, ...words: string[]) => {
  const { status, stdout, stderr } = await restores.stage.tool(words, { DATA_DIR: dataDir });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return JSON.parse(stderr).error as { code: string; message: string };
};
/** By the log and the key store alone. */
const requireErased = async (dataDir: string) => {
  const { stdout } = await restores.toolIn(dataDir, 'events', 'history', '--creator', restores.erased);
  expect(stdout).toMatch(/"actor":"operator:restore"/);
  expect(stdout).toMatch(/creator.personalKeyDestroyed.v1/);
  const keys = openSqliteKeyStore(join(dataDir, KEYS));
  const statuses = new Map(await Array.fromAsync(keys.all(), ([id, { status }]) => [id as string, status] as const));
  expect(statuses.get(restores.erased)).toBe('destroyed');
  await keys.close();
};

test.each(DAMAGES)('D105: the log alone says what was erased and revoked where the key store %s', async (_, damage) => {
  const dataDir = damaged([KEYS, damage]);
  expect(await restores.restoredIn(dataDir)).toMatchObject({
    erased_since: [restores.erased],
    revoked_keys: [restores.revoked],
    lost_events: expect.any(Number),
    unread: [expect.stringMatching(/^personal-keys.db /)],
  });
  await requireErased(dataDir);
});

test.each(DAMAGES)('D105: the key store alone says who was erased where the log %s', async (_, damage) => {
  const dataDir = damaged([LOG, damage]);
  expect(await restores.restoredIn(dataDir)).toMatchObject({
    erased_since: [restores.erased],
    lost_events: null,
    unread: [expect.stringMatching(/^events.db /)],
  });
  await requireErased(dataDir);
});

test.each(DAMAGES.slice(0, 2))(
  'D105: where each of the two %s, the restore is refused until that is accepted',
  async (_, damage) => {
    const dataDir = damaged([LOG, damage], [KEYS, damage]);
    const before = readdirSync(dataDir).toSorted();
    expect(await refusal(dataDir, ...restores.words())).toEqual({
      code: 'backup_refused',
      message: expect.stringMatching(/nothing says what was erased or revoked since the backup.*--accept-unknown/),
    });
    expect(readdirSync(dataDir).toSorted()).toEqual(before);
    const { status, stdout } = await restores.stage.tool([...restores.words(), '--accept-unknown'], {
      DATA_DIR: dataDir,
    });
    expect({ status, unread: JSON.parse(stdout).unread }).toEqual({
      status: 0,
      unread: [expect.any(String), expect.any(String)],
    });
    const accepted = await restores.toolIn(dataDir, 'events', 'history', '--type', 'restore.unknownAccepted.v1');
    expect(accepted.stdout).toContain('operator:');
  },
);

/** Damages that no restore can start from, and what the refusal says. */
const UNUSABLE: readonly (readonly [string, string, (file: string) => void, RegExp])[] = [
  ['a log that is a pipe', LOG, replacedBy('mkfifo'), /events\.db is not a file/],
  ['keys that are a folder', KEYS, replacedBy('mkdir'), /personal-keys\.db is not a file/],
  [
    'a damaged write-ahead log',
    `${KEYS}-wal`,
    (file) => writeFileSync(file, 'no log '.repeat(1_000)),
    /personal-keys\.db-wal cannot be read: its header is damaged.*Take another backup/,
  ],
  ['a write-ahead log that is a pipe', `${LOG}-wal`, replacedBy('mkfifo'), /events\.db-wal is not a file/],
  [
    'a damaged master key',
    'master.key',
    (file) => writeFileSync(file, 'half a ke'),
    /master\.key does not hold 32 bytes/,
  ],
  ['a master key that is a pipe', 'master.key', replacedBy('mkfifo'), /master\.key is not a file/],
];

test.each(UNUSABLE)('D106, D107: a backup with %s is refused, and named', async (_, name, damage, message) => {
  const unusable = restores.newFolder();
  cpSync(restores.backup, unusable, { recursive: true });
  damage(join(unusable, name));
  const dataDir = restores.copied();
  const before = readdirSync(dataDir).toSorted();
  expect((await refusal(dataDir, ...restores.words(unusable))).message).toMatch(message);
  expect(readdirSync(dataDir).toSorted()).toEqual(before);
  const { status, stdout } = await restores.toolIn(dataDir, 'backup', 'check', unusable);
  expect({ status, faults: JSON.parse(stdout).faults }).toEqual({
    status: 1,
    faults: [expect.stringMatching(message)],
  });
});

test.each([
  [
    'damaged',
    (file: string) => writeFileSync(file, 'half a ke'),
    /^(?!.*restoring).*master\.key does not hold 32 bytes/,
  ],
  ['a pipe', replacedBy('mkfifo'), /^(?!.*restoring).*master\.key is not a file/],
] as const)(
  'D106: an own master key that is %s, and that the backup lacks, is named by its path',
  async (_, damage, message) => {
    const dataDir = damaged(['master.key', damage]);
    expect((await refusal(dataDir, ...restores.words())).message).toMatch(message);
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
  },
);
