import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readGivenFile } from './given-file.js';

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
