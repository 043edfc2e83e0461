import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeNewFile } from './new-file.js';

describe('a new file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-file-'));
    file = join(folder, 'statement.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const refusal = (path: string) =>
    writeNewFile(path, 'text').then(
      () => undefined,
      (error: { readonly fields: unknown }) => error.fields,
    );

  it('is written with nothing next to it', async () => {
    await writeNewFile(file, 'text');
    expect(readdirSync(folder)).toEqual(['statement.json']);
    expect(readFileSync(file, 'utf8')).toBe('text');
  });

  it('replaces none that is there', async () => {
    writeFileSync(file, 'earlier');
    expect(await refusal(file)).toEqual([{ field: file, message: 'is there already' }]);
    expect(readdirSync(folder)).toEqual(['statement.json']);
    expect(readFileSync(file, 'utf8')).toBe('earlier');
  });

  it('says what failed', async () => {
    const lost = join(folder, 'nowhere', 'statement.json');
    expect(await refusal(lost)).toEqual([
      { field: lost, message: 'cannot be written: ENOENT: no such file or directory' },
    ]);
  });
});
