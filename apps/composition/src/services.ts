import { AgencyAccess, AgencyAccounts, KeyList, KeyUses, keyListProjection } from '#agencies';
import { CaseList, CaseSynchronisation, caseListProjection, StoredSyncMarks } from '#cases';
import type { Config } from '#configuration';
import { ALL_PROJECTIONS, dueWorkProjection, OTHER_COLLECTIONS } from '#contexts';
import {
  Creators,
  Enrollments,
  ErasureFollower,
  ErasureHashes,
  IdentityUpdates,
  Memberships,
  Protections,
  Removals,
  RequestSynchronisations,
  Resends,
  RosterReading,
  StoredConfirmations,
} from '#creators';
import { Deindexing } from '#deindexing';
import { EventFeed } from '#event-feed';
import {
  ImpersonationList,
  ImpersonationReports,
  ImpersonationSynchronisation,
  impersonationListProjection,
} from '#impersonations';
import { DueWork, holderName, Leases, SetAsides } from '#jobs';
import {
  type Clock,
  CommandRunner,
  type Duration,
  type Logger,
  newEventId,
  Progress,
  SECOND,
  silentLogger,
} from '#kernel';
import { createNativePlatform } from '#native-platform';
import { Metrics } from '#observability';
import { KEYS_REMEMBERED_FOR } from '#personal-data';
import {
  READ_MODELS,
  ReadModel,
  ReadModelComparison,
  Rebuild,
  readModelCollections,
  rebuildAsides,
  SetAsideList,
  StoredLiveCollections,
  setAsideProjection,
} from '#projections';
import { ScanJobs, Scans, scanJobsProjection } from '#scans';
import type { Stores } from '#stores';
import { Sealing } from '#tamper-evidence';
import { UsageReader, usageMonthsProjection, usageOpeningsProjection } from '#usage';
import { createWebhookSending } from '#webhook-sender';
import {
  DeliveryList,
  deliveryListProjection,
  EndpointList,
  endpointListProjection,
  SecretCipher,
  WebhookDeliveries,
  WebhookEndpoints,
} from '#webhooks';
import { bulkPaceBehind } from './bulk-pace.js';

/** What every app is made of: the contexts' services over the stores and the platform. */
export type Services = Awaited<ReturnType<typeof createServices>>;

export const createServices = async (config: Config, stores: Stores, clock: Clock, logger: Logger = silentLogger) => {
  const metrics = new Metrics();
  const log = metrics.counting(stores.log);
  const { documents, backgroundDocuments, masterKeys, personalKeys } = stores;
  const { caches } = config;
  const holder = holderName(newEventId());
  const native = createNativePlatform({
    ...(config.platform && { platform: config.platform }),
    ...(config.engine && { engine: config.engine }),
    ...(config.search && { search: config.search }),
    timeout: config.providerTimeout,
    caches,
    onCall: metrics.call,
    onRefused: (report) => {
      metrics.refused(report);
      logger.warn(report, 'left out records that break a bound or the contract; they count as present');
    },
  });
  const webhooks = createWebhookSending(config.webhookTargets, clock);
  const live = new StoredLiveCollections(documents, caches);
  await documents.ensure([...(await readModelCollections(documents, ALL_PROJECTIONS)), ...OTHER_COLLECTIONS]);

  const runner = new CommandRunner(log, clock, { caches });
  const leases = new Leases(documents, clock, holder);
  const progress = new Progress(documents);
  const setAsides = new SetAsides(runner, metrics.setAside);
  const setAsideList = new SetAsideList(new ReadModel(setAsideProjection, documents, live));
  const access = new AgencyAccess(runner, native.directory, clock, config.verificationCache);
  const memberships = new Memberships(new StoredConfirmations(documents));
  const pace = bulkPaceBehind(log, progress);
  const creators = new Creators(runner, native.creators, memberships, leases);
  const erasures = new ErasureFollower(log, KEYS_REMEMBERED_FOR + SECOND);
  erasures.onErasure((creatorId) => {
    personalKeys.forget(creatorId);
    runner.forget();
  });
  const erasureHashes = new ErasureHashes(stores.hashKey);
  const enrollments = new Enrollments(runner, creators, native.creators, leases, erasureHashes);
  const caseList = new CaseList(new ReadModel(caseListProjection, documents, live));
  const impersonationList = new ImpersonationList(new ReadModel(impersonationListProjection, documents, live));
  const scanJobs = new ScanJobs(new ReadModel(scanJobsProjection, documents, live));
  const secretCipher = new SecretCipher(masterKeys.derived('webhook secrets'), stores.refreshKeys, caches);
  const endpointList = new EndpointList(new ReadModel(endpointListProjection, documents, live));
  const dueModel = new ReadModel(dueWorkProjection, documents, live);
  const dueWork = new DueWork(documents, dueModel.collection, holder);

  return {
    config,
    metrics,
    clock,
    log,
    documents,
    backgroundDocuments,
    personalKeys,
    masterKeys,
    sentinel: stores.sentinel,
    erasureHashes,
    erasures,
    rebuild: new Rebuild(READ_MODELS, log, backgroundDocuments, clock, rebuildAsides(setAsides, setAsideList)),
    comparison: new ReadModelComparison(READ_MODELS, ALL_PROJECTIONS, log, backgroundDocuments, clock),
    native,
    live,
    runner,
    leases,
    progress,
    setAsides,
    setAsideList,
    access,
    creators,
    caseList,
    impersonationList,
    activityCursorKeys: masterKeys.derived('activity cursors'),
    sealing: new Sealing(metrics.counting(stores.storedEvents), masterKeys.sealKeys, undefined, caches),
    accounts: new AgencyAccounts(runner, access, caches),
    enrollments,
    protections: new Protections(creators, native.creators, leases),
    identityUpdates: new IdentityUpdates(creators, enrollments, native.creators),
    removals: new Removals(creators, native.creators, leases),
    resends: new Resends(runner, creators, native.creators, leases),
    roster: new RosterReading(runner, creators, native.creators, memberships, pace, config.providerTimeout),
    scans: new Scans(runner, creators, native.engine),
    deindexing: new Deindexing(runner, creators, native.search),
    memberships,
    cases: new CaseSynchronisation(
      runner,
      native.leaks,
      caseList,
      scanJobs,
      new StoredSyncMarks(documents),
      memberships,
      pace,
    ),
    impersonations: new ImpersonationSynchronisation(
      runner,
      native.impersonations,
      impersonationList,
      memberships,
      pace,
    ),
    requestSynchronisations: new RequestSynchronisations(config.providerTimeout, (creatorId) =>
      dueWork.expedite('caseWalk', creatorId, clock.now()),
    ),
    impersonationReports: new ImpersonationReports(runner, creators, native.impersonations),
    usage: new UsageReader(
      new ReadModel(usageMonthsProjection, documents, live),
      new ReadModel(usageOpeningsProjection, documents, live),
    ),
    feed: new EventFeed(log, caches),
    keys: new KeyList(new ReadModel(keyListProjection, documents, live)),
    endpointList,
    deliveryList: new DeliveryList(new ReadModel(deliveryListProjection, documents, live), endpointList),
    secretCipher,
    webhookEndpoints: new WebhookEndpoints(runner, access, webhooks.policy, secretCipher),
    webhookDeliveries: new WebhookDeliveries(runner),
    webhookSender: webhooks.sender,
    keyUses: new KeyUses(documents, caches),
    dueWork,
    /** Waits until the runners have passed the position, for at most `timeout` milliseconds. */
    async caughtUp(runners: readonly string[], timeout: Duration): Promise<boolean> {
      return progress.passed(runners, await log.head(), timeout);
    },
    async close(): Promise<void> {
      await erasures.stop();
      await webhooks.sender.close();
      await native.close();
      await stores.close();
    },
  };
};
