import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { runTool } from '../support/tool.js';
import { errorOf } from './support/error-of.js';
import { runToEnd } from './support/processes.js';
import { AGENCY, Stage } from './support/stage.js';

// Many processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

describe('a wrong configuration', () => {
  const WRONG = {
    PORT: '65536',
    PROVIDER_TIMEOUT: '5 seconds',
    NATIVE_PLATFORM_URL: 'ftp://platform.example',
    SCAN_ENGINE_URL: 'http://engine.example',
    SCAN_POLL_EVERY: '-1s',
    VERIFICATION_CACHE: '6s',
    LOG_LEVEL: 'loud',
  };
  const REPORTED = [...Object.keys(WRONG), 'NATIVE_PLATFORM_TOKEN', 'SCAN_ENGINE_TOKEN'];

  test.each(['api', 'worker', 'standalone'] as const)('stops %s and lists every wrong variable', async (app) => {
    const { status, stdout, stderr } = await runToEnd(app, [], WRONG);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const named = [...stderr.matchAll(/^ {2}(\w+): \S.*$/gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(REPORTED.toSorted());
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test('stops the tool with the same list', async () => {
    const { code, message } = errorOf(await runTool(['keys', 'list', '--agency', AGENCY, '--json'], WRONG));
    expect(code).toBe('invalid_configuration');
    for (const name of REPORTED) expect(message).toContain(`${name}: `);
  });

  test.each([
    [{ MONGODB_URL: 'mongodb://admin:hunter2@127.0.0.1:1/x?pool=1' }, 'MongoDB'],
    [{ EVENTSTOREDB_URL: 'esdb://admin:hunter2@127.0.0.1:1?tls=false&pool=1' }, 'EventStoreDB'],
  ])('an option of a store that is not known stops the tool: %j', async (url, store) => {
    const settings = { ...url, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    const error = errorOf(await runTool(['keys', 'list', '--agency', AGENCY], settings));
    expect(error).toEqual({
      code: 'invalid_configuration',
      message: `the URL of ${store} cannot be used: the option pool is not known`,
    });
  });

  test('a data directory that cannot be, or a port that is taken, ends the start with one line', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'crash-'));
    const stage = await Stage.open();
    try {
      const file = join(directory, 'file');
      await writeFile(file, '');
      const nowhere = { DATA_DIR: join(file, 'data'), LOG_LEVEL: 'silent' };
      expect(await runToEnd('standalone', [], nowhere)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^.+\n$/),
      });
      expect(errorOf(await runTool(['agencies', 'show', '--agency', AGENCY], nowhere)).message).toContain(file);

      const { port } = new URL(await stage.start('standalone').ready());
      for (const [main, name] of [
        ['api', 'PORT'],
        ['api', 'OPS_PORT'],
        ['demo-start', 'SANDBOX_PORT'],
      ] as const) {
        const taken = { PORT: '0', [name]: port };
        const { status, stderr } = await runToEnd(main, [], { DATA_DIR: directory, LOG_LEVEL: 'silent', ...taken });
        expect({ status, lines: stderr.match(/\n/g)?.length }).toEqual({ status: 1, lines: 1 });
        expect(stderr).toMatch(new RegExp(`port ${port} .*EADDRINUSE.* set ${name} `));
      }
    } finally {
      await stage.close();
      await rm(directory, { recursive: true });
    }
  });
});
