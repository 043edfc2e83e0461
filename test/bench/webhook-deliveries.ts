import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { middleRound, ratiosOf, SCALE } from './figures.js';
import type { HookReceiverReady } from './processes/hook-receiver.js';
import type { RawDispatchSettings } from './processes/raw-dispatch.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';
import type { Delivered, WebhookBacklogSettings } from './processes/webhook-backlog-app.js';

const DELIVERIES = Math.max(1_000, Math.round(10_000 * SCALE));
const ROUNDS = 5;
/** As many as the service sends to one endpoint concurrently. */
const CONCURRENCY = 64;

/** How many posts a second a process reaches that does nothing else. */
const dispatched = async (dir: string, url: string): Promise<number> => {
  const raw: RawDispatchSettings = { url, count: DELIVERIES, concurrency: CONCURRENCY };
  const dispatch = await startProcess<object>('raw-dispatch', dir, raw);
  const { perSecond } = await dispatch.ask<Delivered>({});
  await dispatch.stop();
  return perSecond;
};

/** Deliveries to one endpoint, from their schedule to their outcome in the log, against posting alone. */
export default {
  name: 'webhook deliveries with durable outcome, against unsigned undici dispatch',
  wanted: 0.5,
  async run(dir: string) {
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const roundDir = join(dir, `round-${round}`);
      await mkdir(roundDir);
      const sandbox = await startProcess<SandboxReady>('sandbox', roundDir, { agencyId: 'agency_bench', creators: 1 });
      const receiver = await startProcess<HookReceiverReady>('hook-receiver', roundDir, { live: 1, dead: 0 });
      const [url = ''] = receiver.ready.live;
      const before = await dispatched(roundDir, url);
      const backlog: WebhookBacklogSettings = {
        dir: roundDir,
        sandbox: sandbox.ready,
        live: [url],
        dead: [],
        events: DELIVERIES,
      };
      const app = await startProcess<object>('webhook-backlog-app', roundDir, backlog);
      values.push((await app.ask<Delivered>({})).perSecond);
      await app.stop();
      // The app takes a while to make its backlog: other load on the machine may have changed during that time.
      floors.push((before + (await dispatched(roundDir, url))) / 2);
      for (const started of [receiver, sandbox]) await started.stop();
    }
    return { ...middleRound(values, floors), unit: 'deliveries/s', note: ratiosOf(values, floors) };
  },
};
