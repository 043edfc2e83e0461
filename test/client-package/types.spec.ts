import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { startService } from '../e2e/support/start-service.js';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const FILE = pathOf('../../libs/client/src/generated/types.gen.ts');
const service = await startService();

/** In a separate process: the generator is larger than all that it is tested with. */
const typesOf = async (document: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    const args = [pathOf('../../scripts/client-types.mjs'), folder];
    execFileSync(process.execPath, args, { input: document, env: { ...process.env, NODE_OPTIONS: '' } });
    return await readFile(join(folder, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
};

test('the types of the client are those of the document', async () => {
  const types = await typesOf(await (await fetch(`${service.url}/openapi.json`)).text());
  if (process.env.WRITE_CLIENT_TYPES === '1') await writeFile(FILE, types);
  expect(await readFile(FILE, 'utf8')).toBe(types);
});
