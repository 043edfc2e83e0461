import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { compiled, mainOf } from '../support/mains.js';
import { AGENCY, Stage } from './support/stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

const ISSUE = ['keys', 'issue', '--agency', AGENCY, '--preset', 'read_only', '--json'];
const REGISTER = ['webhooks', 'register', '--agency', AGENCY, '--url', 'http://127.0.0.1:9/hooks', '--json'];

let stage: Stage;
let endpoint: string;

beforeAll(async () => {
  stage = await Stage.open({ WEBHOOK_TARGETS: 'any' });
  await stage.agency({ owner_user_id: '00000000-0000-4000-8000-000000000001' });
  await stage.openAccount();
  ({ id: endpoint } = await stage.runTool<{ id: string }>(...REGISTER.slice(0, -1)));
});
afterAll(() => stage.close());

const eventsInLog = async () => (await stage.runTool<{ events: number }>('events', 'verify')).events;

const UNREAD = ['bash', '-c', 'set -o pipefail; "$@" | true', 'bash'];

/** The tool as a process whose standard output is an open file, or a pipe that nobody reads. */
const writingTo = async (output: number | 'closed pipe', words: readonly string[]) => {
  const isPipe = output === 'closed pipe';
  const [program = '', ...args] = [...(isPipe ? UNREAD : []), process.execPath, mainOf('cli'), ...words];
  const tool = spawn(program, args, {
    stdio: ['ignore', isPipe ? 'ignore' : output, 'pipe'],
    env: { PATH: process.env.PATH, ...stage.environment },
  });
  let stderr = '';
  tool.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [status] = (await once(tool, 'close')) as [number | null];
  return { status, error: stderr === '' ? undefined : (JSON.parse(stderr) as { error: object }).error };
};

test.each([
  ['keys issue', () => ISSUE],
  ['webhooks register', () => REGISTER],
  ['webhooks rotate', () => ['webhooks', 'rotate', endpoint]],
])('%s makes no secret where its output cannot be written', async (_name, words) => {
  const before = await eventsInLog();
  const full = openSync('/dev/full', 'w');
  const { status, error } = await writingTo(full, words());
  closeSync(full);
  const message = 'the output cannot be written: ENOSPC: no space left on device. Nothing was done';
  expect([status, error]).toEqual([1, { code: 'output_failed', message }]);
  expect(await eventsInLog()).toBe(before);
});

test('a secret that nobody has seen can be revoked: the error says how', async () => {
  const { status, error } = await writingTo('closed pipe', ISSUE);
  const remedy = /EPIPE.* Nobody has seen the new secret: run `keys revoke (key_\w+)`$/;
  expect([status, error]).toEqual([1, { code: 'output_failed', message: expect.stringMatching(remedy) }]);
  const [, id = ''] = remedy.exec((error as { message: string }).message) ?? [];
  expect(await stage.runTool('keys', 'revoke', id)).toMatchObject({ id });
});

test('a file gets the result and nothing else, after what it holds', async () => {
  const file = join(stage.dataDir, 'issued.txt');
  writeFileSync(file, 'before\n');
  const appending = openSync(file, 'a');
  expect(await writingTo(appending, ISSUE)).toEqual({ status: 0, error: undefined });
  closeSync(appending);
  const [before, result, ...rest] = readFileSync(file, 'utf8').split('\n');
  expect([before, rest]).toEqual(['before', ['']]);
  expect(JSON.parse(result ?? '')).toMatchObject({ secret: expect.any(String) });
});

test('a list fails on a full disk, and ends without an error where its reader has read enough', async () => {
  const full = openSync('/dev/full', 'w');
  expect(await writingTo(full, ['events', 'history'])).toMatchObject({ status: 1, error: { code: 'output_failed' } });
  closeSync(full);
  expect(await writingTo('closed pipe', ['events', 'history'])).toEqual({ status: 0, error: undefined });
});

test('a new file is complete or not there', () => {
  const folder = join(stage.dataDir, 'full');
  mkdirSync(folder);
  const file = join(folder, 'statement.json');
  const program = `const { writeNewFile } = await import(${JSON.stringify(compiled('apps/cli/src/files.js'))});
    await writeNewFile(process.argv[1], 'x'.repeat(100_000)).catch(({ fields }) => console.log(fields[0].message));`;
  // A process meets the limit of one block like a full disk.
  const limited = 'trap "" XFSZ; ulimit -f 1; exec "$0" --input-type=module -e "$1" "$2"';
  const output = execFileSync('bash', ['-c', limited, process.execPath, program, file], { encoding: 'utf8' });
  expect(output).toBe('cannot be written: EFBIG: file too large\n');
  expect(readdirSync(folder)).toEqual([]);
});
