import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { mainOf } from '../support/mains.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

jest.setTimeout(90_000);

/** Longest time that a stop may take, in milliseconds (D94). */
const STOP_WITHIN = 10_000;
const AT_A_TIME = 50;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

const FULL = openSync('/dev/full', 'w');
afterAll(() => closeSync(FULL));

type Output = 'ignore' | 'pipe' | number;

/** A standalone process with this behind its standard error, or with a pipe that a shell made. */
const start = async (stderr: Output | 'fifo', stdout: Output = 'ignore') => {
  const [port, opsPort] = [await freePort(), await freePort()];
  const environment = { ...stage.environment, PORT: String(port), OPS_PORT: String(opsPort) };
  const env = { PATH: process.env.PATH, ...environment };
  const child =
    stderr === 'fifo'
      ? spawn('bash', ['-c', `exec '${process.execPath}' '${mainOf('standalone')}' 2> >(exec sleep 120)`], { env })
      : spawn(process.execPath, [mainOf('standalone')], { env, stdio: ['ignore', stdout, stderr] });
  running.push(child);
  const url = `http://127.0.0.1:${port}/health/live`;
  await until('the service answers', async () => (await fetch(url).catch(() => undefined))?.status === 200);
  return {
    child,
    status: async () => (await fetch(url)).status,
    dropped: async () => {
      const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics?for=all`)).text();
      return Number(/^log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
    },
  };
};

const endOf = async (child: ChildProcess) => {
  const began = performance.now();
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const [status] = await gone;
  return { status, isInTime: performance.now() - began < STOP_WITHIN };
};

// A request writes some 200 bytes; a socket or pipe takes 64 to 140 KiB, and the process keeps 1 MiB.
test.each([
  ['a socket that nobody reads', 'pipe', 8_000],
  ['a pipe that nobody reads', 'fifo', 1_500],
  ['a full disk', FULL, 100],
] as const)('with %s behind its log a process serves and stops in order (D94)', async (_, output, requests) => {
  const { child, status, dropped } = await start(output);
  for (let sent = 0; sent < requests; sent += AT_A_TIME) {
    const statuses = await Promise.all(Array.from({ length: AT_A_TIME }, () => status()));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  // Lines are written after a tenth of a second, and counted as dropped only then.
  if (output !== 'fifo') await until('lines are dropped', async () => (await dropped()) > 0);
  expect(await endOf(child)).toEqual({ status: 0, isInTime: true });
});

test('a standard output that was closed ends nothing (D94)', async () => {
  const { child, status } = await start('ignore', 'pipe');
  child.stdout?.destroy();
  expect(await status()).toBe(200);
  expect(await endOf(child)).toEqual({ status: 0, isInTime: true });
});

test('a signal that arrives during the start is handled, as process 1 of a container has no default for it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'crash-'));
  const env = { PATH: process.env.PATH, ...stage.environment, DATA_DIR: directory };
  const child = spawn(process.execPath, [mainOf('standalone')], { env, stdio: 'ignore' });
  running.push(child);
  await until('the start has opened the log', async () => existsSync(join(directory, 'events.db')));
  // The status of a process that a signal has ended is null.
  expect(await endOf(child)).toEqual({ status: 0, isInTime: true });
  await rm(directory, { recursive: true });
});
