import { AgencyAccess, type AgencyEvent, agencyDecider } from '#agencies';
import { CaseAccess, CaseList, caseListProjection, SyncMarks } from '#cases';
import { type AgencyScope, type CreatorEvent, creatorDecider, Memberships, StoredConfirmations } from '#creators';
import { ImpersonationList, ImpersonationSynchronization, impersonationListProjection } from '#impersonations';
import { Leases, type LogConsumer, SetAsides, unpaced } from '#jobs';
import {
  type CommandContext,
  CommandRunner,
  ConsistencyToken,
  type CreatorId,
  type DueItem,
  derivedId,
  dueItem,
  MINUTE,
  type Position,
  SECOND,
  type StoredDueItem,
  type StreamName,
  type UserId,
} from '#kernel';
import { project, ReadModel, readModelCollections, StoredLiveCollections } from '#projections';
import { QueueScan } from '#scans';
import {
  FakeClock,
  FakeDirectory,
  FakeEngine,
  FakeImpersonations,
  FakeLeaks,
  InMemoryDocumentStore,
  InMemoryEventLog,
} from '#testing';
import { AgencyRepository } from '../../agencies/src/application/agency.repository.js';
import { CaseRepository } from '../../cases/src/application/case.repository.js';
import { CaseSynchronization } from '../../cases/src/application/case-synchronization.js';
import { agency, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { FakePlatform } from '../../creators/src/platform.fixtures.js';
import { creatorServices } from '../../creators/src/services.fixtures.js';
import { ImpersonationRepository } from '../../impersonations/src/application/impersonation.repository.js';
import { ImpersonationReportRepository } from '../../impersonations/src/application/impersonation-report.repository.js';
import { ReportImpersonationHandler } from '../../impersonations/src/application/report-impersonation.js';
import { WalkMarks } from '../../impersonations/src/read-models/walk-marks.js';
import { QueueScanHandler } from '../../scans/src/application/queue-scan.js';
import { ScanRepository } from '../../scans/src/application/scan.repository.js';
import { ScanAllowanceRepository } from '../../scans/src/application/scan-allowance.repository.js';
import { ScanQueue } from '../../scans/src/application/scan-queue.js';
import { UnreadableScans } from '../../scans/src/application/unreadable-scans.js';
import { FindScansOfJobsHandler, scanJobsProjection } from '../../scans/src/read-models/scan-jobs.js';
import { queryBusOf } from '../../testing/src/buses.js';
import { ALL_PROJECTIONS, OTHER_COLLECTIONS } from './index.js';

export const owner = '0f000000-0000-4000-8000-000000000001' as UserId;
export const scanId = derivedId('scan', 'one');
export const scope = { agencyId: agency, workspaceId, epoch: 1 };

export const contextOf = (correlationId = 'req_1') => ({
  actor: 'key:test',
  correlationId,
  causationId: null,
  workspaceId,
  consistencyToken: new ConsistencyToken(),
});

/** The service as its processes see it: real contexts and read models, on stores in memory and a platform of fakes. */
export const aService = async () => {
  const clock = new FakeClock();
  const log = new InMemoryEventLog();
  const documents = new InMemoryDocumentStore();
  const platform = new FakePlatform();
  const engine = new FakeEngine();
  const leaks = new FakeLeaks();
  const impostors = new FakeImpersonations();
  const directory = new FakeDirectory();

  await documents.ensure([...(await readModelCollections(documents, ALL_PROJECTIONS)), ...OTHER_COLLECTIONS]);
  const live = new StoredLiveCollections(documents);
  const runner = new CommandRunner(log, clock);
  const leases = new Leases(documents, clock, 'test/1/1/');
  const memberships = new Memberships(new StoredConfirmations(documents));
  const pace = unpaced();
  const access = new AgencyAccess(new AgencyRepository(runner), directory, clock, { verificationCache: 0 });
  const creatorParts = creatorServices({ log, runner, platform, memberships, access, leases, clock, pace, documents });
  const { creators, memberRecordWalks: walks } = creatorParts;
  const caseList = new CaseList(new ReadModel(caseListProjection, documents, live));
  const impersonationList = new ImpersonationList(new ReadModel(impersonationListProjection, documents, live));
  const queries = queryBusOf(new FindScansOfJobsHandler(new ReadModel(scanJobsProjection, documents, live)));
  const marks = new SyncMarks(documents);
  const cases = new CaseRepository(runner);
  const caseSynchronization = new CaseSynchronization(cases, walks, leaks, caseList, queries, marks, clock);
  const impersonations = new ImpersonationRepository(runner);
  const reports = new ImpersonationReportRepository(runner);

  const scans = new ScanRepository(runner);
  const allowances = new ScanAllowanceRepository(runner);
  const scanQueue = new ScanQueue(scans, allowances, engine, new UnreadableScans(log, new SetAsides(runner), clock));
  const queueScanHandler = new QueueScanHandler(scans, scanQueue, creators, clock);

  directory.put({ id: agency, name: 'Lumen', onboardingComplete: true, kycApproved: true, ownerUserId: owner });
  const bound: AgencyEvent = {
    type: 'agency.bound.v1',
    data: { agencyId: agency, workspaceId, epoch: 1, ownerUserId: owner },
  };
  await runner.run(agencyDecider, agency, contextOf(), () => [bound]);

  let projected: Position = 0;
  return {
    clock,
    log,
    documents,
    platform,
    engine,
    leaks,
    impostors,
    directory,
    runner,
    creators,
    caseList,
    impersonationList,
    access,
    advanceEnrollmentHandler: creatorParts.advanceEnrollmentHandler,
    inviteCreator: creatorParts.inviteCreator,
    rosters: creatorParts.rosters,
    slots: creatorParts.slots,
    settleSlot: creatorParts.settleSlot,
    settleSlotHandler: creatorParts.settleSlotHandler,
    activateProtection: creatorParts.activateProtection,
    pauseProtection: creatorParts.pauseProtection,
    sightings: creatorParts.sightings,
    creatorRepository: creatorParts.creatorRepository,
    roster: creatorParts.rosterReading,
    observeRoster: creatorParts.observeRoster,
    walkRoster: creatorParts.walkRoster,
    scanRepository: scans,
    scanAllowances: allowances,
    scans: scanQueue,
    queueScan: (creatorId: CreatorId, by: AgencyScope, key: string, context: CommandContext) =>
      queueScanHandler.execute(new QueueScan(creatorId, by, key, context)),
    cases: new CaseAccess(cases, creators, caseSynchronization),
    caseSynchronization,
    impersonations: new ImpersonationSynchronization(
      impersonations,
      walks,
      impostors,
      impersonationList,
      new WalkMarks(documents),
      clock,
      { providerTimeout: 5 * SECOND, walkEvery: 15 * MINUTE },
    ),
    memberships,
    reportImpersonation: new ReportImpersonationHandler(impersonations, reports, creators, impostors),

    /** These happened to the creator, one append each. */
    async creatorDid(creatorId: CreatorId, ...events: readonly CreatorEvent[]): Promise<void> {
      for (const event of events) await runner.run(creatorDecider, creatorId, contextOf(), () => [event]);
    },
    /** Brings all read models up to the log. */
    async project(): Promise<void> {
      const { events, reached } = await log.readLog({ after: projected, limit: 10_000 });
      const targets = ALL_PROJECTIONS.map(async (projection) => ({
        projection,
        collection: await live.of(projection),
      }));
      await documents.write(await project(documents, await Promise.all(targets), events));
      projected = reached;
    },
    /** Deletes all documents; the read models start again. */
    async loseDocuments(): Promise<void> {
      const definitions = await readModelCollections(documents, ALL_PROJECTIONS);
      for (const { name } of definitions) await documents.drop(name);
      await documents.ensure(definitions);
      projected = 0;
    },
    /** Shows a consumer the log after a position, in pages of that size. */
    async show(consumer: LogConsumer, { after = 0, limit = 1_000 } = {}): Promise<void> {
      for (let from = after; ; ) {
        const page = await log.readLog({ after: from, limit, types: consumer.types });
        await consumer.handle(page);
        if (page.atEnd) return;
        from = page.reached;
      }
    },
    typesOf: async (stream: StreamName) => (await log.readStream(stream)).map(({ type }) => type),
  };
};

export type Service = Awaited<ReturnType<typeof aService>>;

/** An item as a worker has claimed it. */
export const claimed = <Kind extends string>(kind: Kind, subject: string): StoredDueItem => {
  const item: DueItem<Kind> = dueItem(kind, subject, workspaceId, 0, {
    id: 'what-made-it-due',
    correlationId: 'req_1',
  });
  return { ...item, position: 1 };
};
