import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CasesModule } from '#cases/module';
import { CreatorsModule } from '#creators/module';
import { readModelProvider } from '#projections';
import { AdvanceScanHandler } from './application/advance-scan.js';
import { CancelQueuedScanHandler } from './application/cancel-queued-scan.js';
import { CompleteScanAdmissionHandler } from './application/complete-scan-admission.js';
import { EndDeadLetterAdmissionHandler } from './application/end-dead-letter-admission.js';
import { EndDeadLetterScanHandler } from './application/end-dead-letter-scan.js';
import { ListScansHandler } from './application/list-scans.js';
import { ObserveScanHandler } from './application/observe-scan.js';
import { QueueScanHandler } from './application/queue-scan.js';
import { QueueScheduledScanHandler } from './application/queue-scheduled-scan.js';
import { ReleaseScanHandler } from './application/release-scan.js';
import { ScanRepository } from './application/scan.repository.js';
import { ScanAllowanceRepository } from './application/scan-allowance.repository.js';
import { ScanCompletion } from './application/scan-completion.js';
import { ScanOrders } from './application/scan-orders.js';
import { ScanQueue } from './application/scan-queue.js';
import { UnreadableScans } from './application/unreadable-scans.js';
import { FindScansOfJobsHandler, scanJobsProjection } from './read-models/scan-jobs.js';
import { scansContext } from './scans.context.js';

@Module({
  imports: [AgenciesModule, CreatorsModule, CasesModule],
  providers: [
    readModelProvider(FindScansOfJobsHandler, scanJobsProjection),
    ScanRepository,
    ScanAllowanceRepository,
    ScanOrders,
    ScanQueue,
    UnreadableScans,
    QueueScanHandler,
    ListScansHandler,
    ObserveScanHandler,
    AdvanceScanHandler,
    QueueScheduledScanHandler,
    CompleteScanAdmissionHandler,
    ReleaseScanHandler,
    CancelQueuedScanHandler,
    EndDeadLetterScanHandler,
    EndDeadLetterAdmissionHandler,
    ScanCompletion,
    ...Object.values(scansContext.reactions),
  ],
})
export class ScansModule {}
