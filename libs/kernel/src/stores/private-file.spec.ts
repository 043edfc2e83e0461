import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensurePrivateFile } from './private-file.js';

describe('a private file', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'private-file-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  it('is created for its owner only (D71)', () => {
    const file = join(folder, 'events.db');
    ensurePrivateFile(file);
    expect(modeOf(file)).toBe('600');
  });

  it('is restricted if it exists, with the files that SQLite adds, and keeps its bytes', () => {
    const files = ['documents.db', 'documents.db-wal', 'documents.db-shm'].map((name) => join(folder, name));
    for (const file of files) {
      writeFileSync(file, 'bytes');
      chmodSync(file, 0o644);
    }
    ensurePrivateFile(files[0] ?? '');
    expect(files.map(modeOf)).toEqual(['600', '600', '600']);
    expect(files.map((file) => statSync(file).size)).toEqual([5, 5, 5]);
  });
});
