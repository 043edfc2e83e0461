import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CasesModule } from '#cases/module';
import { CreatorsModule } from '#creators/module';
import { repositoryProvider } from '#kernel';
import { AdvanceDeindexRequestHandler } from './application/advance-deindex-request.js';
import { DeindexRequestRepository } from './application/deindex-request.repository.js';
import {
  LatestDeindexRequestsHandler,
  ListDeindexRequestsHandler,
  ObserveDeindexRequestHandler,
} from './application/read-deindex-requests.js';
import { RequestDeindexHandler } from './application/request-deindex.js';

@Module({
  imports: [AgenciesModule, CreatorsModule, CasesModule],
  providers: [
    repositoryProvider(DeindexRequestRepository),
    RequestDeindexHandler,
    LatestDeindexRequestsHandler,
    ListDeindexRequestsHandler,
    ObserveDeindexRequestHandler,
    AdvanceDeindexRequestHandler,
  ],
})
export class DeindexingModule {}
