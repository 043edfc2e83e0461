import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { runTool } from '../support/tool.js';
import { runToEnd } from './support/processes.js';
import { Stage } from './support/stage.js';

// Processes are started and waited for; on a crowded machine each takes its time.
jest.setTimeout(90_000);

const BUILT = { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), commit: expect.stringMatching(/^[0-9a-f]{40}/) };

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

test('D113: a process says first which build it is, and as a metric; the tool and the apps say it when asked', async () => {
  const opsPort = String(await freePort());
  const api = stage.start('api', { OPS_PORT: opsPort });
  await api.ready();
  const [first] = api.logs;
  expect(first).toMatchObject({ msg: 'starting', ...BUILT });
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
  expect(metrics).toContain(`build_info{version="${first?.version}",commit="${first?.commit}"} 1`);
  await api.stop();
  const { stdout } = await stage.cli(['--version']);
  expect(stdout).toBe(`${first?.version} (${first?.commit})\n`);
  for (const app of ['api', 'worker', 'standalone', 'platform-sandbox', 'demo-start'] as const) {
    expect(await runToEnd(app, ['--version'], {})).toEqual({ status: 0, stdout, stderr: '' });
  }
  const { status, stdout: json } = await runTool(['--version', '--json'], {});
  expect([status, Object.keys(JSON.parse(json))]).toEqual([0, ['version', 'commit']]);
});

test.each(['api', 'worker'] as const)(
  'D113: SIGHUP stops the %s in order, and SIGUSR1 opens no inspector',
  async (app) => {
    const running = stage.start(app);
    await running.ready();
    process.kill(running.pid, 'SIGUSR1');
    expect(await running.stop('SIGHUP')).toBe(0);
    expect(running.logs.filter(({ level }) => level === 0)).toEqual([]);
    expect(running.logs).toContainEqual(expect.objectContaining({ signal: 'SIGHUP', msg: 'stopping' }));
  },
);
