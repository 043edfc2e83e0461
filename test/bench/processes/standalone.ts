import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../support/free-port.js';
import { mainOf } from '../../support/mains.js';
import { platformVariables } from '../../support/platform-variables.js';
import type { SandboxReady } from './sandbox.js';

const POLL_INTERVAL = 5;

export interface RunningStandalone {
  readonly pid: number;
  readonly url: string;
  /** Milliseconds from its start to the first request that was answered with 200. */
  readonly readyAfter: number;
  stop(): Promise<void>;
}

/** The standalone app as an operator starts it, once it answers. */
export const startStandaloneProcess = async (
  dir: string,
  sandbox: SandboxReady,
  key: string,
): Promise<RunningStandalone> => {
  const port = await freePort();
  const log = join(dir, 'standalone.log');
  const stderr = openSync(log, 'a');
  const env = { ...process.env, DATA_DIR: dir, PORT: String(port), ...platformVariables(sandbox) };
  const began = performance.now();
  const child = spawn(process.execPath, [mainOf('standalone')], { env, stdio: ['ignore', 'ignore', stderr] });
  closeSync(stderr);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url, key))) {
    if (child.exitCode !== null) throw new Error(readFileSync(log, 'utf8').slice(-2_000));
    await delay(POLL_INTERVAL);
  }
  return {
    pid: child.pid ?? 0,
    url,
    readyAfter: performance.now() - began,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const answers = async (url: string, key: string): Promise<boolean> => {
  const request = fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  return request.then(
    ({ status }) => status === 200,
    () => false,
  );
};
