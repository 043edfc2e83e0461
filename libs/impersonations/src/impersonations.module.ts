import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import {
  ImpersonationSynchronization,
  SynchronizeImpersonationsHandler,
} from './application/impersonation-synchronization.js';
import { ImpersonationReportRepository, ImpersonationRepository } from './application/impersonations.repository.js';
import { ReportImpersonationHandler } from './application/report-impersonation.js';
import {
  ImpersonationList,
  impersonationListProjection,
  ListImpersonationsHandler,
} from './read-models/impersonation-list.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    readModelProvider(ImpersonationList, impersonationListProjection),
    repositoryProvider(ImpersonationRepository),
    repositoryProvider(ImpersonationReportRepository),
    ImpersonationSynchronization,
    SynchronizeImpersonationsHandler,
    ListImpersonationsHandler,
    ReportImpersonationHandler,
  ],
  exports: [ImpersonationSynchronization],
})
export class ImpersonationsModule {}
