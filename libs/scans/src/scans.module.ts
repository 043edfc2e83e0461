import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { CaseSynchronisation } from '#cases';
import { CasesModule } from '#cases/module';
import { Creators } from '#creators';
import { CreatorsModule } from '#creators/module';
import { Clock, EventLog } from '#kernel';
import { readModelProvider } from '#projections';
import { ScanEngine } from './application/ports.js';
import { ScanRepository } from './application/scan.repository.js';
import { ScanAllowanceRepository } from './application/scan-allowance.repository.js';
import { Scans } from './application/scans.js';
import { scanHandlers } from './handlers.js';
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
    Scans,
    ...scanHandlers,
    ScanPlaces,
    ScanAdmissions,
    {
      provide: ScanProgress,
      useFactory: (
        log: EventLog,
        scans: ScanRepository,
        creators: Creators,
        engine: ScanEngine,
        findings: CaseSynchronisation,
        access: AgencyAccess,
        clock: Clock,
        options: ScansOptions,
      ) => new ScanProgress(log, scans, creators, engine, findings, access, clock, options),
      inject: [EventLog, ScanRepository, Creators, ScanEngine, CaseSynchronisation, AgencyAccess, Clock, ScansOptions],
    },
    {
      provide: ScheduledScans,
      useFactory: (creators: Creators, scans: Scans, access: AgencyAccess, options: ScansOptions) =>
        new ScheduledScans(creators, scans, access, options),
      inject: [Creators, Scans, AgencyAccess, ScansOptions],
    },
  ],
  exports: [ScanJobs, Scans],
})
export class ScansModule {}
