import { setTimeout as delay } from 'node:timers/promises';
import { derivedId, processContext } from '#kernel';
import { registerEndpoint } from '../../support/agency-commands.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { failScan } from '../../support/failed-scans.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface WebhookLatencySettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly url: string;
  /** The number of events of the agency that listens. */
  readonly events: number;
  /** Milliseconds between two of these events. */
  readonly apart: number;
  /** The number of events between them that nobody listens to. */
  readonly others: number;
}

/** A worker with a busy log: many events that nobody listens to, and among them some that are delivered. */
const { dir, sandbox, url, events, apart, others } = await settingsOf<WebhookLatencySettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
await issueKey(services);
const [heard, unheard] = await activeCreators(services, sandbox.userIds);
if (heard === undefined || unheard === undefined) throw new Error('the sandbox has too few creators');
const workspaceId = derivedId('workspace', AGENCY);
const context = processContext('bench', workspaceId, { id: 'bench', correlationId: 'bench' });
await registerEndpoint(services, AGENCY, url, context);
const elsewhere = derivedId('workspace', 'agency_elsewhere');
await service.startWorker();

process.on('message', async () => {
  const underWay: Promise<void>[] = [];
  for (let number = 0; number < events; number++) {
    const next = delay(apart);
    for (let other = 0; other < others; other++) {
      underWay.push(failScan(services, { workspaceId: elsewhere, creatorId: unheard }, number * others + other));
    }
    underWay.push(failScan(services, { workspaceId, creatorId: heard }, number));
    await next;
  }
  await Promise.all(underWay);
  sendToParent({});
});
sendToParent({});
