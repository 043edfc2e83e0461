import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensurePrivateFile } from './private-file.js';

const LOADER = new URL('../../../threads/src/run-typescript.mjs', import.meta.url).href;
const RUN_SOURCES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--import', LOADER];

describe('a private file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'private-file-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  it('is created for its owner only, with any umask (D71)', () => {
    const file = join(folder, 'events.db');
    // A thread cannot change its umask; a process can.
    const program = 'process.umask(0); (await import(process.argv[1])).ensurePrivateFile(process.argv[2]);';
    const source = new URL('./private-file.ts', import.meta.url).href;
    execFileSync(process.execPath, [...RUN_SOURCES, '--input-type=module', '-e', program, source, file]);
    expect(modeOf(file)).toBe('600');
  });

  it('is restricted if it exists, with the files that SQLite adds, and keeps its bytes', () => {
    const files = ['', '-wal', '-shm', '-journal'].map((suffix) => join(folder, `documents.db${suffix}`));
    for (const file of files) {
      writeFileSync(file, 'bytes');
      chmodSync(file, 0o644);
    }
    ensurePrivateFile(files[0] ?? '');
    expect(files.map(modeOf)).toEqual(files.map(() => '600'));
    expect(files.map((file) => statSync(file).size)).toEqual(files.map(() => 5));
  });
});
