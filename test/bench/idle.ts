import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareData } from './processes/caught-up-data.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startStandaloneProcess } from './processes/standalone.js';
import { startProcess } from './processes/start-process.js';

const EVENTS = 20_000;
const ALLOWED = 0.02;
const SETTLING = 3_000;
const WATCHED = 10_000;

/** How often the processor time of a process with nothing to do fits into what it may use. */
export default {
  name: 'standalone with nothing to do, at 2 % of a core at most',
  wanted: 1,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 0 });
    const key = await prepareData(dir, EVENTS, sandbox.ready);
    const standalone = await startStandaloneProcess(dir, sandbox.ready, key);
    await delay(SETTLING);
    const before = processorTime(standalone.pid);
    await delay(WATCHED);
    const used = (processorTime(standalone.pid) - before) / WATCHED;
    await standalone.stop();
    await sandbox.stop();
    const note = `${(used * 100).toFixed(2)} % of a core over ${WATCHED / 1_000} s`;
    return { value: ALLOWED / used, floor: 1, unit: 'times', note };
  },
};

/** Milliseconds, of user and system. */
const processorTime = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the command's name, which may hold spaces: utime and stime are the 12th and 13th fields.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond;
};
