import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCES = ['go.mod', 'go.sum', 'main.go'];
/** Where Go puts itself, beside where the shell looks for it. */
const GO_PATH = `${process.env.PATH}:/usr/local/go/bin`;

/** Whether FerretDB can be built here. */
export const hasGo = (): boolean =>
  spawnSync('go', ['version'], { env: { ...process.env, PATH: GO_PATH } }).status === 0;

/** Builds FerretDB, which takes a minute or two, where this version of it was not built before. */
export const buildFerretDb = (sources: string): string => {
  const version = createHash('sha256');
  for (const source of SOURCES) version.update(readFileSync(join(sources, source)));
  const directory = join(tmpdir(), `creator-protection-ferretdb-${version.digest('hex').slice(0, 16)}`);
  const binary = join(directory, 'ferretdb');
  if (existsSync(binary)) return binary;
  mkdirSync(directory, { recursive: true });
  const unfinished = `${binary}-${process.pid}`;
  execFileSync('go', ['build', '-o', unfinished, '.'], {
    cwd: sources,
    env: { ...process.env, PATH: GO_PATH, CGO_ENABLED: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  renameSync(unfinished, binary);
  return binary;
};

export interface FerretDb {
  readonly url: string;
  readonly process: ChildProcess;
  /** Forgets everything. */
  stop(): Promise<void>;
}

/** Serves an empty FerretDB, at most as long as this process runs. */
export const startFerretDb = async (binary: string, address = '127.0.0.1:0'): Promise<FerretDb> => {
  const directory = mkdtempSync(join(tmpdir(), 'ferretdb-'));
  const server = spawn(binary, [address, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await Promise.race([once(server.stdout, 'data'), once(server, 'exit').then(() => [''])]);
  const url = String(line).trim();
  if (url === '') throw new Error('FerretDB did not start');
  return {
    url,
    process: server,
    async stop() {
      server.kill('SIGKILL');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
