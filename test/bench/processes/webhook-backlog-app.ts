import { derivedId, LogRunner, processContext, Rebuild, systemClock } from '#kernel';
import { Announcements, Publisher, WEBHOOK_SCHEDULING, WebhookDispatch, WebhookScheduling } from '#processes';
import { READ_MODELS, ReadModelsConsumer } from '#read-models';
import { webhookAttempts } from '../../../apps/worker/src/worker.js';
import { AGENCY, activeCreators, issueKey } from './bench-agency.js';
import { failScans } from './failing-scans.js';
import type { SandboxReady } from './sandbox.js';
import { createBenchServices } from './service.js';
import { settingsOf, tell } from './start-process.js';

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

const PATIENCE = 120_000;

/** A worker that has a delivery waiting for each event and endpoint; it begins when asked. */
const { dir, sandbox, live, dead, events } = await settingsOf<WebhookBacklogSettings>();
const { services, logger } = await createBenchServices(dir, 'durable', sandbox);
const { log, documents, leases, progress, clock, deliveryList, webhookEndpoints } = services;
await issueKey(services);
const [creatorId] = await activeCreators(services, sandbox.userIds);
if (creatorId === undefined) throw new Error('the sandbox has no creator');
const workspaceId = derivedId('workspace', AGENCY);
for (const url of [...live, ...dead]) {
  await webhookEndpoints.register(AGENCY, url, processContext('bench', workspaceId, { id: 'b', correlationId: 'b' }));
}

const consumers = [
  new ReadModelsConsumer(documents, new Rebuild(READ_MODELS, log, documents, systemClock)),
  new Publisher(log, new Announcements(log, undefined)),
  new WebhookScheduling(services.runner, documents),
];
for (const consumer of consumers) new LogRunner(consumer, log, documents, leases, progress, logger).start();
await failScans(services, workspaceId, creatorId, events);
// The publisher first, then who schedules what it has published, then who shows that.
for (const { name } of [...consumers, ...consumers]) await services.caughtUp([name], PATIENCE);
if (!(await services.caughtUp([WEBHOOK_SCHEDULING, READ_MODELS], PATIENCE))) throw new Error('it does not catch up');

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
  const dispatch = new WebhookDispatch(deliveryList, webhookAttempts(services), leases, clock, logger);
  progress.onReport(() => dispatch.nudge());
  dispatch.start(Promise.resolve());
  await allDelivered.promise;
  tell({ perSecond: (wanted * 1_000) / (performance.now() - began) } satisfies Delivered);
});
tell({});
