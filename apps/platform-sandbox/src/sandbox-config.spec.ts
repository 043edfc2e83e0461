import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { sandboxConfigOrExit } from './sandbox-config.js';

it('the token of the sandbox can come from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'from-a-file\n');
  expect(sandboxConfigOrExit({ SANDBOX_TOKEN_FILE: file }).token).toBe('from-a-file');
  rmSync(folder, { recursive: true });
});

it('without a token there is a random one, and no default', () => {
  const tokens = [sandboxConfigOrExit({}), sandboxConfigOrExit({})].map(({ token }) => token);
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]{32}$/), expect.stringMatching(/^[\w-]{32}$/)]);
  expect(tokens[0]).not.toBe(tokens[1]);
});
