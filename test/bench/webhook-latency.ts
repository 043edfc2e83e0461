import { setTimeout as delay } from 'node:timers/promises';
import { SCALE } from './figures.js';
import type { Arrivals, HookReceiverReady } from './processes/hook-receiver.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';
import type { WebhookLatencySettings } from './processes/webhook-latency-app.js';

const ALLOWED = 150;
const EVENTS = Math.max(100, Math.round(500 * SCALE));
const PUBLISH_INTERVAL = 20;
const OTHERS = 10;
const WARM = 50;
const POLL_INTERVAL = 20;

/** How often the time from an event to its first attempt, for 95 of 100, fits into what it may take. */
export default {
  name: 'event to first webhook attempt with a busy log, 95 of 100 in 150 ms at most',
  wanted: 1,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 2 });
    const receiver = await startProcess<HookReceiverReady>('hook-receiver', dir, { live: 1, dead: 0 });
    const [url = ''] = receiver.ready.live;
    const events = EVENTS + WARM;
    const settings: WebhookLatencySettings = {
      dir,
      sandbox: sandbox.ready,
      url,
      events,
      apart: PUBLISH_INTERVAL,
      others: OTHERS,
    };
    const app = await startProcess<object>('webhook-latency-app', dir, settings);
    await app.ask({});
    const delays: number[] = [];
    while (delays.length < events) {
      delays.push(...(await receiver.ask<Arrivals>({})).delays);
      await delay(POLL_INTERVAL);
    }
    for (const started of [app, receiver, sandbox]) await started.stop();
    const sorted = delays.slice(WARM).toSorted((one, other) => one - other);
    const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    const note = `half within ${quantile(0.5)} ms, 95 of 100 within ${quantile(0.95)} ms, among ${(1_000 / PUBLISH_INTERVAL) * OTHERS} other events/s`;
    return { value: ALLOWED / quantile(0.95), floor: 1, unit: 'times', note };
  },
};
