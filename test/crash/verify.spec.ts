import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { AGENCY, Stage } from './support/stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

interface Fault {
  readonly kind: string;
  readonly number: number;
  readonly id: string | null;
}

interface Verdict {
  readonly intact: boolean;
  readonly events: number;
  readonly sealed_events: number;
  readonly fault: Fault | null;
  readonly faults: readonly Fault[];
}

let stage: Stage;
let publicKey: string;
let seal: string;
let sealedEvents: number;

beforeAll(async () => {
  stage = await Stage.open();
  await stage.agency({ owner_user_id: '00000000-0000-4000-8000-000000000001' });
  await stage.openAccount();
  ({ public_key: publicKey } = await stage.runTool<{ public_key: string }>('events', 'public-key'));
  const newest = await stage.runTool<{ statement: { count: number } }>('events', 'seal', '--now');
  sealedEvents = newest.statement.count;
  seal = join(stage.dataDir, 'kept-seal.json');
  await writeFile(seal, JSON.stringify(newest));
  await stage.runTool('keys', 'issue', '--agency', AGENCY, '--preset', 'read_only');
});

afterAll(() => stage.close());

const verify = async (log: string, ...words: string[]) => {
  const { status, stdout, stderr } = await stage.tool([
    ...['events', 'verify', '--public-key', publicKey, '--log', log, '--json'],
    ...words,
  ]);
  expect(stderr).toBe('');
  const verdict = JSON.parse(stdout) as Verdict;
  expect(status).toBe(verdict.intact ? 0 : 1);
  return verdict;
};

/** A copy of the log alone, for somebody to lay hands on. */
const copy = (name: string, deed: string): string => {
  const file = join(stage.dataDir, name);
  const db = new DatabaseSync(join(stage.dataDir, 'events.db'));
  db.exec(`VACUUM INTO '${file}'`);
  db.close();
  const copied = new DatabaseSync(file);
  copied.exec(deed);
  copied.close();
  return file;
};

test('the log of the service verifies with its own key while nothing is given', async () => {
  const verdict = await stage.runTool<Verdict>('events', 'verify');
  expect(verdict).toMatchObject({ intact: true, fault: null, sealed_events: sealedEvents });
  expect(verdict.events).toBeGreaterThan(sealedEvents + 1);
});

test('a copy verifies with the public key alone, and with a seal that was kept', async () => {
  const file = copy('whole.db', '');
  expect(await verify(file, '--seal', seal)).toMatchObject({ intact: true, sealed_events: sealedEvents });
});

test('with the folder of a log that lacks its master key, or with a wrong folder, no key is created', async () => {
  const [empty, copied] = [join(stage.dataDir, 'empty'), join(stage.dataDir, 'copied')];
  for (const folder of [empty, copied]) await mkdir(folder);
  await copyFile(copy('alone.db', ''), join(copied, 'events.db'));
  // A command that only reads is the first one here.
  expect(await stage.tool(['events', 'history', '--type', 'seal.'], { DATA_DIR: copied })).toMatchObject({ status: 0 });
  for (const DATA_DIR of [empty, copied]) {
    for (const [command, hint] of [
      ['public-key', ''],
      ['verify', ', or give --public-key'],
    ] as const) {
      const message = `${DATA_DIR} has no master.key: set DATA_DIR or MASTER_KEY as for the service${hint}`;
      const { status, stdout, stderr } = await stage.tool(['events', command], { DATA_DIR });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(JSON.parse(stderr)).toEqual({ error: { code: 'missing_keys', message } });
    }
  }
  expect(await readdir(empty)).toEqual([]);
  expect(await readdir(copied)).not.toContain('master.key');
});

test('what was done to a copy is named, and ends the tool with status 1', async () => {
  const changed = copy(
    'changed.db',
    `UPDATE events SET body = replace(body, '"epoch":1', '"epoch":2') WHERE position = 1`,
  );
  expect(await verify(changed)).toMatchObject({ intact: false, fault: { kind: 'changed', number: 1 } });
  const cut = copy('cut.db', `DELETE FROM events WHERE position >= ${sealedEvents}`);
  expect(await verify(cut)).toMatchObject({ intact: true });
  expect(await verify(cut, '--seal', seal)).toMatchObject({ fault: { kind: 'cut_off', number: sealedEvents } });
});

test('a trigger in the file is named, also where every event is as it was written', async () => {
  const file = copy('trigger.db', 'CREATE TRIGGER sly AFTER INSERT ON events BEGIN DELETE FROM streams; END');
  expect(await verify(file, '--seal', seal)).toMatchObject({
    intact: false,
    sealed_events: sealedEvents,
    fault: { kind: 'foreign_schema', number: 0, message: "the trigger sly is not the log's own" },
  });
});

test('arguments that the tool does not understand are reported as such', async () => {
  const codeOf = async (...words: string[]) => {
    const { status, stderr } = await stage.tool(['events', 'verify', ...words]);
    expect(status).toBe(1);
    return JSON.parse(stderr).error.code;
  };
  expect(await codeOf('--log', 'copy.db')).toBe('invalid_request');
  expect(await codeOf('--public-key', 'nonsense')).toBe('invalid_request');
  expect(await codeOf('--public-key', publicKey, '--seal', 'nowhere.json')).toBe('invalid_request');
  expect(await codeOf('--public-key', publicKey, '--log', 'nowhere.db')).toBe('store_unavailable');
});

interface Proof {
  readonly event: string;
  readonly lines: string;
  readonly index: number;
  readonly checkpoint: string;
}

test('events are proven from a copy with the public key alone, up to the newest checkpoint', async () => {
  const file = copy('proven.db', '');
  const from = ['--public-key', publicKey, '--log', file];
  const { checkpoint, origin, events } = await stage.runTool<{ checkpoint: string; origin: string; events: number }>(
    'events',
    'checkpoint',
    ...from,
  );
  expect({ events, origin: checkpoint.split('\n')[0] }).toEqual({ events: sealedEvents, origin });
  const db = new DatabaseSync(file, { readOnly: true });
  const ids = db.prepare('SELECT id FROM events ORDER BY position').all() as { id: string }[];
  db.close();
  const [first, last] = [ids[0]?.id ?? '', ids[sealedEvents - 1]?.id ?? ''];
  const { stdout } = await stage.tool(['events', 'prove', first, last, '--from', seal, ...from, '--json']);
  const [one, other, consistency] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)) as [Proof, Proof, { from: number }];
  expect([one, other]).toMatchObject([
    { event: first, index: 0, checkpoint },
    { event: last, index: sealedEvents - 1, checkpoint },
  ]);
  expect(one.lines.split('\n')).toHaveLength(7);
  expect(consistency).toMatchObject({ from: sealedEvents, checkpoint });
  const text = (await stage.tool(['events', 'prove', first, ...from])).stdout;
  expect(text.startsWith('c2sp.org/tlog-proof@v1\nextra ')).toBe(true);
  expect(text.endsWith(checkpoint)).toBe(true);

  const refused = async (...words: string[]) => {
    const { status, stderr } = await stage.tool(['events', 'prove', ...words]);
    expect(status).toBe(1);
    return JSON.parse(stderr).error;
  };
  expect(await refused(...from)).toMatchObject({ code: 'invalid_request' });
  const unsealed = ids.at(-1)?.id ?? '';
  expect((await refused(unsealed, ...from)).message).toContain(unsealed);
  const cut = copy('proven-cut.db', `DELETE FROM events WHERE position = 2`);
  expect(await refused(first, '--public-key', publicKey, '--log', cut)).toMatchObject({ code: 'not_as_sealed' });
});

test('the name of a log that has a checkpoint cannot change', async () => {
  // The second seals nothing: the stores do not open under another name.
  const commands = [
    ['events', 'seal', '--now'],
    ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_only'],
  ];
  for (const command of commands) {
    const { status, stderr } = await stage.tool(command, { LOG_ORIGIN: 'agency.example/events' });
    expect(status).toBe(1);
    const { code, message } = JSON.parse(stderr).error;
    expect(code).toBe('invalid_configuration');
    expect(message).toContain('LOG_ORIGIN');
  }
});
