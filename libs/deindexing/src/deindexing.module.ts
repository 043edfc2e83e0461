import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CasesModule } from '#cases/module';
import { CreatorsModule } from '#creators/module';
import { AdvanceDeindexRequestHandler } from './application/advance-deindex-request.js';
import { DeindexOrders } from './application/deindex-orders.js';
import { DeindexRequestRepository } from './application/deindex-request.repository.js';
import { EndDeadLetterDeindexRequestHandler } from './application/end-dead-letter-deindex-request.js';
import { ListDeindexRequestsHandler } from './application/list-deindex-requests.js';
import { ObserveDeindexRequestHandler } from './application/observe-deindex-request.js';
import { RequestDeindexHandler } from './application/request-deindex.js';

@Module({
  imports: [AgenciesModule, CreatorsModule, CasesModule],
  providers: [
    DeindexRequestRepository,
    DeindexOrders,
    RequestDeindexHandler,
    ListDeindexRequestsHandler,
    ObserveDeindexRequestHandler,
    AdvanceDeindexRequestHandler,
    EndDeadLetterDeindexRequestHandler,
  ],
})
export class DeindexingModule {}
