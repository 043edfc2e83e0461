import { AgencyAccess, AgencyAccounts } from '#agencies';
import { CaseSynchronisation, ImpersonationReports, ImpersonationSynchronisation } from '#cases';
import { Creators, Enrollments, IdentityUpdates, Protections, Removals, Resends, RosterReading } from '#creators';
import { Deindexing } from '#deindexing';
import {
  type Clock,
  CommandRunner,
  DueWork,
  type Duration,
  holderName,
  Leases,
  LiveCollections,
  newEventId,
  Progress,
  ReadModelComparison,
  Rebuild,
} from '#kernel';
import { createNativePlatform } from '#native-platform';
import { Sealing, WEBHOOK_TARGETS } from '#processes';
import { EventFeed } from '#publishing';
import {
  ALL_PROJECTIONS,
  CaseList,
  caseListProjection,
  DeliveryList,
  deliveryListProjection,
  dueWorkProjection,
  EndpointList,
  endpointListProjection,
  ImpersonationList,
  impersonationListProjection,
  KeyList,
  keyListProjection,
  READ_MODELS,
  ReadModel,
  readModelCollections,
  ScanJobs,
  StoredSyncMarks,
  SYNC_MARKS,
  scanJobsProjection,
  UsageReader,
  usageMonthsProjection,
  usageOpeningsProjection,
} from '#read-models';
import { Scans } from '#scans';
import { createWebhookSending } from '#webhook-sender';
import { SecretSeal, WebhookDeliveries, WebhookEndpoints } from '#webhooks';
import type { Config } from './config.js';
import { KEY_USES, KeyUses } from './key-uses.js';
import { derivedKey } from './master-key.js';
import { Metrics } from './metrics.js';
import { sealKeyOf } from './seal-key.js';
import type { Stores } from './stores.js';

/** What every app is made of: the contexts' services over the stores and the platform. */
export type Services = Awaited<ReturnType<typeof createServices>>;

export const createServices = async (config: Config, stores: Stores, clock: Clock) => {
  const metrics = new Metrics();
  const log = metrics.counting(stores.log);
  const { documents, masterKey, personalKeys } = stores;
  const holder = holderName(newEventId());
  const native = createNativePlatform({
    ...(config.platform && { platform: config.platform }),
    ...(config.engine && { engine: config.engine }),
    ...(config.search && { search: config.search }),
    timeout: config.providerTimeout,
    onCall: metrics.call,
  });
  const webhooks = createWebhookSending(config.webhookTargets, clock);
  const live = new LiveCollections(documents);
  await documents.ensure([...(await readModelCollections(documents)), SYNC_MARKS, KEY_USES, WEBHOOK_TARGETS]);

  const runner = new CommandRunner(log, clock);
  const leases = new Leases(documents, clock, holder);
  const progress = new Progress(documents);
  const access = new AgencyAccess(runner, native.directory, clock, config.verificationCache);
  const creators = new Creators(runner, native.creators);
  const enrollments = new Enrollments(runner, creators, native.creators, leases);
  const caseList = new CaseList(new ReadModel(caseListProjection, documents, live));
  const impersonationList = new ImpersonationList(new ReadModel(impersonationListProjection, documents, live));
  const scanJobs = new ScanJobs(new ReadModel(scanJobsProjection, documents, live));
  const secretSeal = new SecretSeal(derivedKey(masterKey, 'webhook secrets'));
  const endpointList = new EndpointList(new ReadModel(endpointListProjection, documents, live));
  const dueModel = new ReadModel(dueWorkProjection, documents, live);

  return {
    config,
    metrics,
    clock,
    log,
    documents,
    personalKeys,
    rebuild: new Rebuild(READ_MODELS, log, documents, clock),
    comparison: new ReadModelComparison(READ_MODELS, ALL_PROJECTIONS, log, documents, clock),
    native,
    live,
    runner,
    leases,
    progress,
    access,
    creators,
    caseList,
    impersonationList,
    activityCursorKey: derivedKey(masterKey, 'activity cursors'),
    sealing: new Sealing(log, sealKeyOf(masterKey)),
    accounts: new AgencyAccounts(runner, access),
    enrollments,
    protections: new Protections(creators, native.creators, leases),
    identityUpdates: new IdentityUpdates(creators, enrollments, native.creators),
    removals: new Removals(creators, native.creators, leases),
    resends: new Resends(runner, creators, native.creators, leases),
    roster: new RosterReading(runner, creators, native.creators),
    scans: new Scans(runner, creators, native.engine),
    deindexing: new Deindexing(runner, creators, native.search),
    cases: new CaseSynchronisation(runner, native.leaks, caseList, scanJobs, new StoredSyncMarks(documents)),
    impersonations: new ImpersonationSynchronisation(runner, native.impersonations, impersonationList),
    impersonationReports: new ImpersonationReports(runner, creators, native.impersonations),
    usage: new UsageReader(
      new ReadModel(usageMonthsProjection, documents, live),
      new ReadModel(usageOpeningsProjection, documents, live),
    ),
    feed: new EventFeed(log),
    keys: new KeyList(new ReadModel(keyListProjection, documents, live)),
    endpointList,
    deliveryList: new DeliveryList(new ReadModel(deliveryListProjection, documents, live), endpointList),
    secretSeal,
    webhookEndpoints: new WebhookEndpoints(runner, access, webhooks.policy, secretSeal),
    webhookDeliveries: new WebhookDeliveries(runner),
    webhookSender: webhooks.sender,
    keyUses: new KeyUses(documents),
    dueWork: new DueWork(documents, dueModel.collection, holder),
    /** Waits until the runners have passed the position, for at most `timeout` milliseconds. */
    async caughtUp(runners: readonly string[], timeout: Duration): Promise<boolean> {
      return progress.passed(runners, await log.head(), timeout);
    },
    async close(): Promise<void> {
      await webhooks.sender.close();
      await native.close();
      await stores.close();
    },
  };
};
