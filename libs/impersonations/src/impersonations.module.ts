import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { readModelProvider } from '#projections';
import { ImpersonationReports } from './application/impersonation-reports.js';
import { ImpersonationSynchronisation } from './application/impersonation-synchronisation.js';
import { impersonationHandlers } from './handlers.js';
import { ImpersonationList, impersonationListProjection } from './read-models/impersonation-list.js';

@Module({
  imports: [CreatorsModule],
  providers: [
    readModelProvider(ImpersonationList, impersonationListProjection),
    ImpersonationSynchronisation,
    ImpersonationReports,
    ...impersonationHandlers,
  ],
  exports: [ImpersonationSynchronisation, ImpersonationList],
})
export class ImpersonationsModule {}
