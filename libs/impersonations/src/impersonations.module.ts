import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { readModelProvider } from '#projections';
import { ImpersonationRepository } from './application/impersonation.repository.js';
import { ImpersonationReportRepository } from './application/impersonation-report.repository.js';
import { ImpersonationSynchronization } from './application/impersonation-synchronization.js';
import { ReportImpersonationHandler } from './application/report-impersonation.js';
import { SynchronizeImpersonationsHandler } from './application/synchronize-impersonations.js';
import { ImpersonationList, impersonationListProjection } from './read-models/impersonation-list.js';
import { ListImpersonationsHandler } from './read-models/list-impersonations.js';
import { WalkMarks } from './read-models/walk-marks.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    readModelProvider(ImpersonationList, impersonationListProjection),
    WalkMarks,
    ImpersonationRepository,
    ImpersonationReportRepository,
    ImpersonationSynchronization,
    SynchronizeImpersonationsHandler,
    ListImpersonationsHandler,
    ReportImpersonationHandler,
  ],
  exports: [ImpersonationSynchronization],
})
export class ImpersonationsModule {}
