import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { mainOf } from '../support/mains.js';

const ROOT = join(import.meta.dirname, '../../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** To look closer, such as `--trace-gc` or `--cpu-prof`. */
const MORE_OPTIONS = process.env.SOAK_NODE_OPTIONS?.split(' ') ?? [];

export interface RunningService {
  readonly name: 'api' | 'worker';
  readonly url: string;
  readonly pid: number;
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

/** Starts a process of the service with the options of its npm script; its log goes to a file in the directory. */
export const startService = async (
  name: 'api' | 'worker',
  dir: string,
  environment: NodeJS.ProcessEnv,
  opsPort: number,
): Promise<RunningService> => {
  const words = scripts[`start:${name}`]?.split(' ') ?? [];
  const variables = words.flatMap((word) => (/^\w+=\w+$/.test(word) ? [word.split('=')] : []));
  const options = [...words.slice(words.indexOf('node') + 1, -1), ...MORE_OPTIONS];
  const child = spawn(process.execPath, [...options, mainOf(name)], {
    cwd: ROOT,
    stdio: ['ignore', openSync(join(dir, `${name}.out`), 'a'), 'pipe'],
    env: { ...environment, ...Object.fromEntries(variables), OPS_PORT: String(opsPort) },
  });
  const url = await readyOf(child, name, join(dir, `${name}.log`));
  return {
    name,
    url,
    pid: child.pid ?? 0,
    metricsUrl: `http://127.0.0.1:${opsPort}/metrics`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};

const readyOf = (child: ChildProcess, name: string, log: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const file = createWriteStream(log);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}; its log is ${log}`)));
    if (child.stderr === null) throw new Error('the process has no standard error');
    createInterface({ input: child.stderr }).on('line', (line) => {
      file.write(`${line}\n`);
      const [, url = ''] = new RegExp(`"msg":"${name} ready"`).test(line)
        ? (/"url":"([^"]*)"/.exec(line) ?? ['', ''])
        : [];
      if (line.includes(`"msg":"${name} ready"`)) resolve(url);
    });
  });
