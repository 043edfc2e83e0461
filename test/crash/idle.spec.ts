import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpuShare } from '../support/cpu.js';
import { ok } from './support/agency-client.js';
import { activated } from './support/creators.js';
import type { AppProcess } from './support/processes.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const CREATORS = 12;
const MEASURED = 3_000;
/** Work after a start, such as compiling hot code, may fall into the first window; idle work falls into all of them. */
const WINDOWS = 3;
const QUIET = 1_500;
const MOST = 0.02;

const say = (text: string) => process.stdout.write(`${text}\n`);

// Processor time is read from there.
const hasProc = existsSync('/proc/self/stat');

(hasProc ? describe : describe.skip)(
  `an idle service${hasProc ? '' : ', skipped as /proc/self/stat is missing'}`,
  () => {
    let stage: Stage;
    let secret: string;
    let workspaceId: string;

    beforeAll(async () => {
      stage = await Stage.open({ SCAN_POLL_EVERY: '5s' });
      await stage.agency({ total_slots: 50 });
      ({ secret, workspaceId } = await stage.openAccount());
    }, 30_000);

    afterAll(() => stage.close());

    /** Nothing that was started goes on, and the platform has not been asked for a while. */
    const settled = () =>
      until('the platform is left alone', async () => (await stage.calls(`?since=${Date.now() - QUIET}`)).length === 0);

    /** The share of a core, in the first of some windows that is below the limit. */
    const shareOf = async (what: string, { pid, readyAfter = 0 }: AppProcess): Promise<number> => {
      const shares: number[] = [];
      while (shares.length < WINDOWS && shares.every((share) => share >= MOST))
        shares.push(await cpuShare(pid, MEASURED));
      const shown = shares.map((share) => `${(share * 100).toFixed(2)} %`).join(', then ');
      say(`${what}: ready after ${Math.round(readyAfter)} ms, idle at ${shown} of a core`);
      return Math.min(...shares);
    };

    test('a standalone process with active creators uses no measurable processor time', async () => {
      const standalone = stage.start('standalone');
      const client = stage.client(await standalone.ready(), secret);
      const scanIds: string[] = [];
      for (const userId of await stage.members(CREATORS, { leaks_each: 3 })) {
        const id = await activated(client, workspaceId, userId);
        scanIds.push(ok(await client.queueScan(id, `scan of ${id}`), 202).id);
      }
      for (const id of scanIds)
        await until(`${id} completed`, async () => ok(await client.scan(id)).status === 'completed');
      await settled();
      expect(await shareOf('standalone', standalone)).toBeLessThan(MOST);
      expect(await standalone.stop()).toBe(0);
    }, 120_000);

    test('nor does it after a restart, nor do two API processes and two workers at the same time', async () => {
      const again = stage.start('standalone');
      await again.ready();
      await settled();
      expect(await shareOf('standalone, started again', again)).toBeLessThan(MOST);
      expect(await again.stop()).toBe(0);

      const apps = ['api', 'api', 'worker', 'worker'] as const;
      const processes = apps.map((app) => stage.start(app));
      await Promise.all(processes.map((each) => each.ready()));
      await settled();
      const shares = await Promise.all(processes.map((each, at) => shareOf(`${apps[at]} of four`, each)));
      expect(shares.filter((share) => share >= MOST)).toEqual([]);
    }, 60_000);
  },
);
