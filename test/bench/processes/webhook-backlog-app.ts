import { derivedId, processContext } from '#kernel';
import { READ_MODELS } from '#projections';
import { WEBHOOK_SCHEDULING } from '#webhooks';
import { registerEndpoint } from '../../support/agency-commands.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { failScans } from '../../support/failed-scans.js';
import { startSchedulingWebhooks, startSendingWebhooks } from '../../support/webhook-pipeline.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface WebhookBacklogSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly live: readonly string[];
  readonly dead: readonly string[];
  readonly events: number;
}

export interface Delivered {
  /** Deliveries to endpoints that live, a second, each with its outcome in the log. */
  readonly perSecond: number;
}

const TIMEOUT = 120_000;

/** A worker that has a delivery waiting for each event and endpoint; it begins when asked. */
const { dir, sandbox, live, dead, events } = await settingsOf<WebhookBacklogSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
const { log } = services;
await issueKey(services);
const [creatorId] = await activeCreators(services, sandbox.userIds);
if (creatorId === undefined) throw new Error('the sandbox has no creator');
const workspaceId = derivedId('workspace', AGENCY);
for (const url of [...live, ...dead]) {
  const context = processContext('bench', workspaceId, { id: 'b', correlationId: 'b' });
  await registerEndpoint(services, AGENCY, url, context);
}

const runners = startSchedulingWebhooks(service);
await failScans(services, { workspaceId, creatorId }, events);
// The publisher first, then who schedules what it has published, then who shows that.
for (const runner of [...runners, ...runners]) await services.caughtUp([runner], TIMEOUT);
if (!(await services.caughtUp([WEBHOOK_SCHEDULING, READ_MODELS], TIMEOUT))) throw new Error('it does not catch up');

const wanted = live.length * events;
let delivered = 0;
const allDelivered = Promise.withResolvers<void>();
const append = log.append.bind(log);
log.append = async (stream, expected, appended) => {
  const result = await append(stream, expected, appended);
  if (appended[0]?.type === 'webhookDelivery.delivered.v1' && ++delivered === wanted) allDelivered.resolve();
  return result;
};

process.on('message', async () => {
  const began = performance.now();
  startSendingWebhooks(service);
  await allDelivered.promise;
  sendToParent({ perSecond: (wanted * 1_000) / (performance.now() - began) } satisfies Delivered);
});
sendToParent({});
