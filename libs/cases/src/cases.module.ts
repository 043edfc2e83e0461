import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CreatorsModule } from '#creators/module';
import { readModelProvider } from '#projections';
import { CaseRepository } from './application/case.repository.js';
import { CaseAccess } from './application/case-access.js';
import { CaseSynchronization } from './application/case-synchronization.js';
import { FetchActivityHandler } from './application/fetch-activity.js';
import { SynchronizeCasesHandler } from './application/synchronize-cases.js';
import { WalkMemberRecordsHandler } from './application/walk-member-records.js';
import { CaseList, caseListProjection } from './read-models/case-list.js';
import { ListCasesHandler } from './read-models/list-cases.js';
import { SyncMarks } from './read-models/sync-marks.js';

@Module({
  imports: [AgenciesModule, CreatorsModule],
  providers: [
    readModelProvider(CaseList, caseListProjection),
    CaseRepository,
    SyncMarks,
    CaseSynchronization,
    CaseAccess,
    SynchronizeCasesHandler,
    WalkMemberRecordsHandler,
    ListCasesHandler,
    FetchActivityHandler,
  ],
  exports: [CaseAccess],
})
export class CasesModule {}
