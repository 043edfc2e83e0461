import { setTimeout as delay } from 'node:timers/promises';
import { cpuShare } from '../support/cpu.js';
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
    const used = await cpuShare(standalone.pid, WATCHED);
    await standalone.stop();
    await sandbox.stop();
    const note = `${(used * 100).toFixed(2)} % of a core over ${WATCHED / 1_000} s`;
    return { value: ALLOWED / used, floor: 1, unit: 'times', note };
  },
};
