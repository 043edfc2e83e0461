import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CreatorsModule } from '#creators/module';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import { CaseAccess } from './application/case-access.js';
import { CaseRepository, CaseSynchronization, SynchronizeCasesHandler } from './application/case-synchronization.js';
import { FetchActivityHandler } from './application/fetch-activity.js';
import { WalkMemberRecordsHandler } from './application/walk-member-records.js';
import { CaseList, caseListProjection, ListCasesHandler } from './read-models/case-list.js';
import { CasesOfCreators } from './read-models/cases-of-creators.js';

@Module({
  imports: [AgenciesModule, CreatorsModule],
  providers: [
    readModelProvider(CaseList, caseListProjection),
    CasesOfCreators,
    repositoryProvider(CaseRepository),
    CaseSynchronization,
    CaseAccess,
    SynchronizeCasesHandler,
    WalkMemberRecordsHandler,
    ListCasesHandler,
    FetchActivityHandler,
  ],
  exports: [CaseAccess, CasesOfCreators, CaseSynchronization],
})
export class CasesModule {}
