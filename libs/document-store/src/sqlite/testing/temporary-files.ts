import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/** Names of files that are not there yet, in a directory that is removed after the spec's last test. */
export const temporaryFiles = (): (() => string) => {
  const directory = mkdtempSync(join(tmpdir(), 'document-store-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  let given = 0;
  return () => join(directory, `documents-${++given}.db`);
};
