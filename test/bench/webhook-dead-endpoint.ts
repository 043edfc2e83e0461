import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { middleRound, SCALE } from './figures.js';
import type { HookReceiverReady } from './processes/hook-receiver.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';
import type { Delivered, WebhookBacklogSettings } from './processes/webhook-backlog-app.js';

const EVENTS = Math.max(100, Math.round(1_000 * SCALE));
const LIVE = 9;
const ROUNDS = 3;

/** Deliveries to nine endpoints while one takes everything and never answers, against those nine alone. */
export default {
  name: 'webhook deliveries to nine endpoints with a dead tenth, against the nine alone',
  wanted: 0.95,
  async run(dir: string) {
    const values: number[] = [];
    const floors: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await deliver(join(dir, `alone-${round}`), 0));
      values.push(await deliver(join(dir, `with-dead-${round}`), 1));
    }
    return { ...middleRound(values, floors), unit: 'deliveries/s' };
  },
};

const deliver = async (dir: string, dead: number): Promise<number> => {
  await mkdir(dir);
  const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 1 });
  const receiver = await startProcess<HookReceiverReady>('hook-receiver', dir, { live: LIVE, dead });
  const settings: WebhookBacklogSettings = { dir, sandbox: sandbox.ready, ...receiver.ready, events: EVENTS };
  const app = await startProcess<object>('webhook-backlog-app', dir, settings);
  const { perSecond } = await app.ask<Delivered>({});
  for (const started of [app, receiver, sandbox]) await started.stop();
  return perSecond;
};
