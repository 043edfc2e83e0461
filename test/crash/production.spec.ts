import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { runToEnd } from './support/processes.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'production-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test.each(['platform-sandbox', 'demo-start'] as const)(
  '%s does not start under NODE_ENV=production, says why, and leaves nothing behind (D64)',
  async (app) => {
    const environment = { NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0', SANDBOX_PORT: '0' };
    const { status, stdout, stderr } = await runToEnd(app, [], environment);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^.*\n.*sandbox.*production.*\n$/);
    expect(await readdir(dataDir)).toEqual([]);
  },
);
