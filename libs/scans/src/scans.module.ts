import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { CaseSynchronisation } from '#cases';
import { CasesModule } from '#cases/module';
import { CreatorAccess } from '#creators';
import { CreatorsModule } from '#creators/module';
import { Clock, EventLog } from '#kernel';
import { readModelProvider } from '#projections';
import { ObserveScanHandler } from './application/observe-scan.js';
import { ScanEngine } from './application/ports.js';
import { QueueScanHandler } from './application/queue-scan.js';
import { ScanRepository } from './application/scan.repository.js';
import { ScanAllowanceRepository } from './application/scan-allowance.repository.js';
import { ScanQueue } from './application/scan-queue.js';
import { ScanAdmissions } from './processes/scan-admissions.js';
import { ScanPlaces } from './processes/scan-places.js';
import { ScanProgress } from './processes/scan-progress.js';
import { ScheduledScans } from './processes/scheduled-scans.js';
import { ScanJobs, scanJobsProjection } from './read-models/scan-jobs.js';
import { ScansOptions } from './scans.options.js';

@Module({
  imports: [AgenciesModule, CreatorsModule, CasesModule],
  providers: [
    readModelProvider(ScanJobs, scanJobsProjection),
    ScanRepository,
    ScanAllowanceRepository,
    ScanQueue,
    QueueScanHandler,
    ObserveScanHandler,
    ScanPlaces,
    ScanAdmissions,
    {
      provide: ScanProgress,
      useFactory: (
        log: EventLog,
        scans: ScanRepository,
        creators: CreatorAccess,
        engine: ScanEngine,
        findings: CaseSynchronisation,
        access: AgencyAccess,
        clock: Clock,
        options: ScansOptions,
      ) => new ScanProgress(log, scans, creators, engine, findings, access, clock, options),
      inject: [
        EventLog,
        ScanRepository,
        CreatorAccess,
        ScanEngine,
        CaseSynchronisation,
        AgencyAccess,
        Clock,
        ScansOptions,
      ],
    },
    {
      provide: ScheduledScans,
      useFactory: (creators: CreatorAccess, scans: ScanQueue, access: AgencyAccess, options: ScansOptions) =>
        new ScheduledScans(creators, scans, access, options),
      inject: [CreatorAccess, ScanQueue, AgencyAccess, ScansOptions],
    },
  ],
  exports: [ScanJobs, ScanQueue],
})
export class ScansModule {}
