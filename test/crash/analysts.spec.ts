import { spawn } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { mainOf } from '../support/mains.js';
import { runTool } from '../support/tool.js';
import type { AgencyClient } from './support/agency-client.js';
import { ok } from './support/agency-client.js';
import { type SharedStores, sharedStores } from './support/shared-stores.js';
import { AGENCY, Stage } from './support/stage.js';
import { until } from './support/until.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

const NAME = 'Ivy Valentina Vale';
const PRICE = { PRICE_PER_CREATOR_MONTH_CENTS: '4900' };
const MONTH = new Date().toISOString().slice(0, 7);

let stores: SharedStores;
let stage: Stage;
let client: AgencyClient;
let creatorId: string;
let keyId: string;
let scanId: string;

/** Returns the tool's output; throws if it failed or wrote to standard error. */
const printed = async (...words: string[]): Promise<string> => {
  const { status, stdout, stderr } = await stage.tool(words);
  expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' });
  return stdout;
};
const lines = async <Value>(...words: string[]): Promise<Value[]> =>
  (await printed(...words, '--json'))
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
const json = async <Value>(...words: string[]): Promise<Value> => {
  const [value, ...rest] = await lines<Value>(...words);
  if (value === undefined || rest.length > 0) throw new Error(`${words.join(' ')} printed no single value`);
  return value;
};
const failure = async (...words: string[]): Promise<{ code: string; message: string }> => {
  const { status, stdout, stderr } = await stage.tool(words);
  expect({ words, status, stdout }).toEqual({ words, status: 1, stdout: '' });
  return (JSON.parse(stderr) as { error: { code: string; message: string } }).error;
};

interface PrintedEvent {
  readonly id: string;
  readonly stream: string;
  readonly type: string;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  readonly actor: string;
  readonly data: { readonly personal?: object };
}

beforeAll(async () => {
  stores = await sharedStores();
  stage = await Stage.open({ ...PRICE, ...stores.environment });
  await stage.agency({});
  const standalone = stage.start('standalone');
  const url = await standalone.ready();
  const account = await stage.openAccount();
  keyId = account.keyId;
  client = stage.client(url, account.secret);
  const [userId = ''] = await stage.members(1);
  const body = { workspace_id: account.workspaceId, external_id: 'ext-1', display_name: NAME, svc_user_id: userId };
  creatorId = ok(await client.enroll(body), 201).id;
  for (const status of ['active', 'paused', 'active'] as const) {
    ok(await client.protect(creatorId, status));
  }
  scanId = ok(await client.queueScan(creatorId, 'scan-1'), 202).id;
  await until('the scan', async () => {
    const { status } = ok(await client.scan(scanId));
    return status === 'completed';
  });
}, 60_000);

afterAll(async () => {
  await stage.close();
  await stores.stop();
});

const publicKeyFile = async (): Promise<string> => {
  const { pem } = await json<{ pem: string }>('events', 'public-key');
  const file = join(stage.dataDir, 'seal.pem');
  writeFileSync(file, pem);
  return file;
};

/** A copy of the log and of nothing else, as somebody has it who was only given that. */
const copyOfLog = async (name: string): Promise<string> => {
  const copy = join(stage.dataDir, name);
  const { EVENTSTOREDB_URL, MONGODB_URL } = stage.environment;
  if (EVENTSTOREDB_URL !== undefined) {
    const keys = ['--keys-from', MONGODB_URL ?? stage.dataDir, '--keys-to', join(stage.dataDir, `${name}-keys`)];
    await printed('log', 'copy', '--from', EVENTSTOREDB_URL, '--to', copy, ...keys);
    return copy;
  }
  for (const end of ['', '-wal']) {
    const from = join(stage.dataDir, `events.db${end}`);
    if (existsSync(from)) cpSync(from, join(copy, `events.db${end}`), { recursive: true });
  }
  return copy;
};

describe('on a running system, history', () => {
  test('is printed by what it is about, of which type, by whom, and within a range; names only when asked', async () => {
    const ofCreator = await lines<PrintedEvent>('events', 'history', '--creator', creatorId);
    const switches = await lines<PrintedEvent>('events', 'history', '--key', keyId, '--type', 'creator.protection');
    expect(switches.map(({ type }) => type)).toEqual([
      'creator.protectionActivated.v1',
      'creator.protectionPaused.v1',
      'creator.protectionActivated.v1',
    ]);
    expect(ofCreator.map(({ id }) => id)).toEqual(expect.arrayContaining(switches.map(({ id }) => id)));
    expect(JSON.stringify(ofCreator)).not.toContain(NAME);
    expect(JSON.stringify(ofCreator)).toContain('[hidden 1]');
    expect(await printed('events', 'history', '--creator', creatorId, '--reveal')).toContain(NAME);

    const [first, second, third] = switches.map(({ id }) => id);
    const between = ['--from', first ?? '', '--to', second ?? '', '--type', 'creator.protection'];
    expect((await lines<PrintedEvent>('events', 'history', ...between)).map(({ id }) => id)).toEqual([first, second]);
    const chain = await lines<PrintedEvent>('events', 'history', '--causation', third ?? '');
    expect(chain.map(({ stream }) => stream)).toEqual(
      expect.arrayContaining([`creator-${creatorId}`, `usageMeter-${creatorId}`]),
    );
    const [scan] = await lines<PrintedEvent>('events', 'history', '--scan', scanId, '--type', 'scan.queued');
    const ofRequest = await lines<PrintedEvent>('events', 'history', '--correlation', scan?.correlation_id ?? '');
    expect(ofRequest.map(({ type }) => type)).toEqual(expect.arrayContaining(['scan.queued.v1', 'scan.completed.v1']));
    const text = await printed('events', 'history', '--creator', creatorId, '--type', 'creator.protectionPaused');
    expect(text).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}creator\.protectionPaused\.v1\n {2}creator-crt_\w+ #\d+ {2}event /,
    );
  });

  test('of a stream is folded to the state at any moment, and to what each event changed', async () => {
    const stream = `creator-${creatorId}`;
    const switches = await lines<PrintedEvent>('events', 'history', '--stream', stream, '--type', 'creator.protection');
    const stateAt = async (...at: string[]) =>
      (await json<{ state: { protection: unknown } }>('events', 'state', stream, ...at)).state.protection;
    const [on, off] = switches.map(({ id }) => id);
    expect(await stateAt('--at', on ?? '')).toMatchObject({ status: 'active' });
    expect(await stateAt('--at', off ?? '')).toMatchObject({ status: 'paused' });
    const steps = await lines<{ type: string; changes: { path: string }[] }>('events', 'state', stream, '--diff');
    const paused = steps.find(({ type }) => type === 'creator.protectionPaused.v1');
    expect(paused?.changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^protection/)]),
    );
  });

  test('ends quietly for who reads only the beginning', async () => {
    const reader = spawn('sh', ['-c', `"$0" "$1" events history --json | head -n 1`, process.execPath, mainOf('cli')], {
      env: { PATH: process.env.PATH, ...stage.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    reader.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    reader.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    await new Promise((done) => reader.on('close', done));
    expect(stderr).toBe('');
    expect(stdout.match(/\n/g)).toHaveLength(1);
  });

  test('of what is not there is an error that says so', async () => {
    const nobody = '00000000-0000-7000-8000-000000000000';
    for (const [words, code] of [
      [['events', 'history', '--to', nobody], 'not_found'],
      [['events', 'history', '--stream', 'nothing'], 'invalid_request'],
      [['events', 'history', '--creator', 'nobody'], 'invalid_request'],
      [['events', 'history', '--key', `key_${'0'.repeat(26)}`], 'not_found'],
      [['events', 'history', '--case', `cas_${'0'.repeat(26)}`], 'not_found'],
      [['events', 'history', '--from', '2026-02-01', '--to', '2026-01-01'], 'invalid_request'],
      [['usage', 'explain', '--agency', AGENCY, '--month', MONTH, '--creator', 'nobody'], 'invalid_request'],
      [['usage', 'explain', '--agency', AGENCY, '--month', MONTH, '--creator', `crt_${'0'.repeat(26)}`], 'not_found'],
      [
        ['usage', 'explain', '--agency', AGENCY, '--month', MONTH, '--against', 'x', '--format', 'csv'],
        'invalid_request',
      ],
      [['events', 'state', 'eventFeed-wsp_1'], 'invalid_request'],
      [['events', 'state', 'creator-nobody'], 'not_found'],
      [['usage', 'explain', '--agency', AGENCY, '--month', '2026-13'], 'invalid_request'],
      [['usage', 'explain', '--agency', AGENCY, '--month', MONTH, '--as-of', '2999-01-01'], 'invalid_request'],
      [['projections', 'rebuild', 'nothing'], 'invalid_request'],
      [['projections', 'rollback', 'cases'], 'invalid_request'],
    ] as const) {
      expect({ words, code: (await failure(...words)).code }).toEqual({ words, code });
    }
    const agency = `agency-${AGENCY}`;
    expect((await failure('events', 'state', agency, '--at', '2000-01-01')).message).toBe(
      `stream ${agency} had no event at that time`,
    );
  });
});

interface Explained {
  readonly totals: { readonly active_milliseconds: number };
  readonly creators: { readonly creator_id: string; readonly intervals: object[] }[];
}

describe('on a running system, usage', () => {
  const explain = ['usage', 'explain', '--agency', AGENCY, '--month', MONTH];

  test('is explained in every format, and against an earlier explanation', async () => {
    const explained = await json<Explained>(...explain);
    expect(explained.creators).toMatchObject([{ creator_id: creatorId }]);
    expect(explained.creators[0]?.intervals).toHaveLength(2);
    expect(await printed(...explain)).toContain(creatorId);
    expect(await printed(...explain, '--format', 'csv')).toMatch(/^"creator_id","date","active_milliseconds"/);
    expect(await printed(...explain, '--format', 'html')).toMatch(/^<!doctype html>[\s\S]+<svg[\s\S]+<\/html>\n$/);

    const [on, off] = await lines<PrintedEvent & { at: number }>(
      ...['events', 'history', '--creator', creatorId, '--type', 'creator.protection'],
    );
    if (on === undefined || off === undefined) throw new Error('nothing was switched');
    const milliseconds = off.at - on.at;
    for (const asOf of [off.id, `${off.at}`, new Date(off.at).toISOString()]) {
      expect(await json<Explained>(...explain, '--as-of', asOf)).toMatchObject({
        totals: { active_milliseconds: milliseconds },
        creators: [{ creator_id: creatorId, intervals: [{}] }],
      });
    }

    const earlier = join(stage.dataDir, 'earlier.json');
    writeFileSync(earlier, await printed(...explain, '--format', 'json'));
    const comparison = await json<{ creators: { reasons: { kind: string }[] }[] }>(...explain, '--against', earlier);
    expect(comparison.creators.flatMap(({ reasons }) => reasons.map(({ kind }) => kind))).toEqual(['went_on']);
    expect(await printed(...explain, '--against', earlier)).toContain('stayed on');
  });

  test('is stated under a signature, and checked from a copy of the log alone', async () => {
    const file = join(stage.dataDir, 'statement.json');
    const statement = ['usage', 'statement', '--agency', AGENCY, '--month', MONTH, '--out', file];
    expect(await json(...statement)).toMatchObject({ file, agency_id: AGENCY, month: MONTH });
    expect((await failure(...statement)).message).toContain('already exists');
    const publicKey = await publicKeyFile();
    const copy = await copyOfLog('copy');
    const offline = ['usage', 'check', file, '--public-key', publicKey, '--log', copy];
    expect(await json(...offline)).toMatchObject({ valid: true, faults: [] });
    expect(await printed('usage', 'check', file)).toMatch(/^valid +yes$/m);
    expect((await failure('usage', 'check', file, '--log', copy)).message).toContain('public-key');

    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"per_creator_month_cents": 4900', '"per_creator_month_cents": 1'),
    );
    const { status, stdout, stderr } = await stage.tool([...offline, '--json']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      faults: expect.arrayContaining([expect.objectContaining({ kind: 'signature' })]),
    });
  });
});

interface Status {
  readonly name: string;
  readonly collection: string;
  readonly events_behind: number;
  readonly is_being_rebuilt: boolean;
}

test('on a running system, read models are shown, rebuilt and compared', async () => {
  const keysOf = async () => (await json<Status[]>('projections', 'status', 'keys'))[0];
  const before = await keysOf();
  expect(before).toMatchObject({ is_being_rebuilt: false });
  expect(await json('projections', 'rebuild')).toMatchObject({ rebuilt: expect.arrayContaining(['keys', 'due_work']) });
  const rebuilt = await keysOf();
  expect(rebuilt?.collection).not.toBe(before?.collection);
  expect(await json('projections', 'compare')).toMatchObject({ differences: [] });

  ok(await client.protect(creatorId, 'paused'));
  expect(await printed('projections', 'compare')).toMatch(/^None of \d+ documents differs\.\n$/);
  expect(await printed('projections', 'status')).toContain('up to date');
  expect((await client.events()).length).toBeGreaterThan(0);
});

test('all of it works on a copy of the log alone, but for what its keys would open', async () => {
  const copy = await copyOfLog('alone');
  const alone = async (...words: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runTool(words, { ...PRICE, DATA_DIR: copy });
    expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' });
    return stdout;
  };
  const stream = `creator-${creatorId}`;
  const explain = ['usage', 'explain', '--agency', AGENCY, '--month', MONTH, '--format', 'json'];
  const last = (await lines<PrintedEvent>('events', 'history', '--stream', stream)).at(-1)?.id ?? '';
  const asOf = [...explain, '--as-of', last];
  const ofCreator = ['events', 'history', '--creator', creatorId, '--to', last];
  expect(await alone(...ofCreator, '--reveal')).not.toContain(NAME);
  const asTold = (text: string) => text.replaceAll(/\[(hidden \d+|encrypted)\]/g, '[…]');
  expect(asTold(await alone(...ofCreator))).toBe(asTold(await printed(...ofCreator)));
  expect(JSON.parse(await alone('events', 'state', stream, '--json'))).toMatchObject({
    state: { creatorId, protection: { status: 'paused' } },
  });
  expect(await alone('events', 'verify', '--log', copy, '--public-key', await publicKeyFile())).toMatch(
    /^intact +yes$/m,
  );
  expect(JSON.parse(await alone(...asOf))).toEqual(JSON.parse(await printed(...asOf)));
  expect(await alone('projections', 'rebuild')).toContain('usage');
  expect(await alone('projections', 'compare')).toMatch(/^None of \d+ documents differs\.\n$/);
});

test('what is personal about a creator is exported, and erased once it is said again', async () => {
  const ofCreator = ['privacy', 'export', '--creator', creatorId] as const;
  expect(await printed(...ofCreator)).toContain(NAME);
  const shown = await json<{ becomes_unreadable: object }>('privacy', 'erase', '--creator', creatorId);
  expect(shown).toMatchObject({
    erased: false,
    personal_key: 'kept',
    becomes_unreadable: { creator: expect.any(Number) },
  });
  expect(await printed(...ofCreator)).toContain(NAME);
  ok(await client.creator(creatorId));

  const erased = await json('privacy', 'erase', '--creator', creatorId, '--yes');
  expect(erased).toMatchObject({ erased: true, became_unreadable: shown.becomes_unreadable });
  expect(await printed(...ofCreator)).not.toContain(NAME);
  expect(await printed('events', 'history', '--creator', creatorId, '--reveal')).not.toContain(NAME);
  expect(await printed('events', 'history', '--creator', creatorId, '--reveal')).toContain('[erased]');
  expect((await client.creator(creatorId)).status).toBe(404);
  expect(await printed('events', 'verify')).toMatch(/^intact +yes$/m);
  expect(await json('privacy', 'erase', '--creator', creatorId)).toMatchObject({
    erased: true,
    personal_key: 'destroyed',
  });
  expect((await failure('privacy', 'export', '--creator', 'nobody')).code).toBe('not_found');
});
