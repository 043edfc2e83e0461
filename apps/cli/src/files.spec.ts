import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readGivenFile, readJsonFile, writeNewFile } from './files.js';

it('a file that is missing, or is a folder, is wrong input, with its name and the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'given-'));
  const refusalOf = (path: string) => {
    try {
      return String(readGivenFile(path));
    } catch (error) {
      return error;
    }
  };
  const missing = join(folder, 'missing');
  expect(refusalOf(missing)).toMatchObject({
    code: 'invalid_request',
    fields: [{ field: missing, message: 'cannot be read: ENOENT: no such file or directory' }],
  });
  expect(refusalOf(folder)).toMatchObject({
    code: 'invalid_request',
    fields: [{ field: folder, message: expect.stringContaining('EISDIR') }],
  });
  await rm(folder, { recursive: true });
});

describe('D107: a text file', () => {
  const textIn = async (bytes: Buffer) => {
    const folder = await mkdtemp(join(tmpdir(), 'given-'));
    const file = join(folder, 'seal.json');
    await writeFile(file, bytes);
    try {
      return readJsonFile(file);
    } catch (error) {
      return (error as { fields: { message: string }[] }).fields[0]?.message;
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it('may begin with a byte order mark, as editors of Windows write it', async () => {
    expect(await textIn(Buffer.from('\ufeff{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
  });

  const bigEndian = Buffer.from('\ufeff{"a":1}', 'utf16le').swap16();
  it.each([
    ['UTF-16, as PowerShell writes it', Buffer.from('\ufeff{"a":1}', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('{"a":1}', 'utf16le')],
    ['UTF-16 with the other order of bytes', bigEndian],
    ['that without a mark', bigEndian.subarray(2)],
  ])('is refused by name as %s', async (_name, bytes) => {
    expect(await textIn(bytes)).toBe('is UTF-16: save it as UTF-8');
  });

  it('is refused in another encoding, which would change its letters', async () => {
    expect(await textIn(Buffer.from('{"name":"Zoë"}', 'latin1'))).toBe('is not UTF-8');
    expect(await textIn(Buffer.from(''))).toBe('is not JSON');
  });
});

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
    expect(await refusal(file)).toEqual([{ field: file, message: 'already exists' }]);
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
