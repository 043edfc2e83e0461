import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { CreatorAccess, Memberships } from '#creators';
import { CreatorsModule } from '#creators/module';
import { Clock } from '#kernel';
import { readModelProvider } from '#projections';
import { CaseSynchronisation } from './application/case-synchronisation.js';
import { FetchActivityHandler } from './application/fetch-activity.js';
import { SynchronizeCasesHandler } from './application/synchronize-cases.js';
import { CasesOptions } from './cases.options.js';
import { CaseWalks, ImpersonationWalk, type RecordWalk } from './processes/case-walks.js';
import { CaseList, caseListProjection } from './read-models/case-list.js';
import { ListCasesHandler } from './read-models/list-cases.js';
import { SyncMarks } from './read-models/sync-marks.js';

@Module({
  imports: [AgenciesModule, CreatorsModule],
  providers: [
    readModelProvider(CaseList, caseListProjection),
    SyncMarks,
    CaseSynchronisation,
    SynchronizeCasesHandler,
    ListCasesHandler,
    FetchActivityHandler,
    {
      provide: CaseWalks,
      useFactory: (
        creators: CreatorAccess,
        cases: CaseSynchronisation,
        impersonations: RecordWalk,
        memberships: Memberships,
        access: AgencyAccess,
        clock: Clock,
        options: CasesOptions,
      ) => new CaseWalks(creators, cases, impersonations, memberships, access, clock, options),
      inject: [CreatorAccess, CaseSynchronisation, ImpersonationWalk, Memberships, AgencyAccess, Clock, CasesOptions],
    },
  ],
  exports: [CaseSynchronisation, CaseList],
})
export class CasesModule {}
