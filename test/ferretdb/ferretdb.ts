import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOURCES = ['go.mod', 'go.sum', 'main.go', 'commands.go'];
/**
 * FerretDB reads each document of a collection unless the filter is an id and nothing more. Here it finds the id in any
 * filter that has one by SQLite's index, and applies the rest of the filter as it does without.
 */
const PATCH = {
  file: 'vendor/github.com/FerretDB/FerretDB/internal/backends/sqlite/collection.go',
  from: 'if params.Filter.Len() == 1 {',
  to: 'if params.Filter.Len() > 0 {',
};
/** Go's installer does not add its own folder to PATH. */
const GO_PATH = `${process.env.PATH}:/usr/local/go/bin`;

/** Features that a document store or its specs need but FerretDB 1.24 lacks, with the reason. MongoDB has them. */
export const UNSUPPORTED = {
  nestedArrays: 'FerretDB 1.24 refuses arrays within arrays',
  ttlIndexes: 'FerretDB 1.24 has no TTL indexes',
};

/** Whether FerretDB can be built here. */
export const hasGo = (): boolean =>
  spawnSync('go', ['version'], { env: { ...process.env, PATH: GO_PATH } }).status === 0;

/** Builds FerretDB, which takes a minute or two, where this version of it was not built before. */
export const buildFerretDb = (sources: string): string => {
  const version = createHash('sha256').update(JSON.stringify(PATCH));
  for (const source of SOURCES) version.update(readFileSync(join(sources, source)));
  const directory = join(tmpdir(), `creator-protection-ferretdb-${version.digest('hex').slice(0, 16)}`);
  const binary = join(directory, 'ferretdb');
  if (existsSync(binary)) return binary;
  mkdirSync(directory, { recursive: true });
  const copy = mkdtempSync(join(directory, 'source-'));
  for (const source of SOURCES) copyFileSync(join(sources, source), join(copy, source));
  go(copy, 'mod', 'vendor');
  patch(join(copy, PATCH.file));
  go(copy, 'build', '-mod=vendor', '-o', 'ferretdb', '.');
  renameSync(join(copy, 'ferretdb'), binary);
  rmSync(copy, { recursive: true });
  return binary;
};

const go = (cwd: string, ...words: string[]): void => {
  const env = { ...process.env, PATH: GO_PATH, CGO_ENABLED: '0' };
  execFileSync('go', words, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
};

const patch = (file: string): void => {
  const original = readFileSync(file, 'utf8');
  if (!original.includes(PATCH.from)) throw new Error(`${file} has changed: the patch does not apply`);
  writeFileSync(file, original.replaceAll(PATCH.from, PATCH.to));
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
