import { median, SCALE } from './figures.js';
import { prepareData } from './processes/caught-up-data.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startStandaloneProcess } from './processes/standalone.js';
import { startProcess } from './processes/start-process.js';

const EVENTS = Math.max(20_000, Math.round(1_000_000 * SCALE));
const ALLOWED = 3_000;
const ROUNDS = 5;

/** How often a start fits into what it may take, from the process's start to its first answer. */
export default {
  name: `starting standalone on ${EVENTS.toLocaleString('en')} events, in 3 s at most`,
  wanted: 1,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 0 });
    const key = await prepareData(dir, EVENTS, sandbox.ready);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const standalone = await startStandaloneProcess(dir, sandbox.ready, key);
      times.push(standalone.readyAfter);
      await standalone.stop();
    }
    await sandbox.stop();
    const taken = times.map((time) => Math.round(time)).join(', ');
    return { value: ALLOWED / median(times), floor: 1, unit: 'times', note: `took ${taken} ms` };
  },
};
