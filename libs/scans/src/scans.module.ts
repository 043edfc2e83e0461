import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CasesModule } from '#cases/module';
import { CreatorsModule } from '#creators/module';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import { AdvanceScanHandler } from './application/advance-scan.js';
import { CompleteScanAdmissionHandler, QueueScanHandler, ScanQueue } from './application/queue-scan.js';
import { QueueScheduledScanHandler } from './application/queue-scheduled-scan.js';
import { LatestScansHandler, ListScansHandler, ObserveScanHandler } from './application/read-scans.js';
import { ScanAllowanceRepository, ScanRepository } from './application/scans.repository.js';
import { FindScansOfJobsHandler, scanJobsProjection } from './read-models/scan-jobs.js';
import { scansContext } from './scans.context.js';

@Module({
  imports: [AgenciesModule, CreatorsModule, CasesModule],
  providers: [
    readModelProvider(FindScansOfJobsHandler, scanJobsProjection),
    repositoryProvider(ScanRepository),
    repositoryProvider(ScanAllowanceRepository),
    ScanQueue,
    QueueScanHandler,
    LatestScansHandler,
    ListScansHandler,
    ObserveScanHandler,
    AdvanceScanHandler,
    QueueScheduledScanHandler,
    CompleteScanAdmissionHandler,
    ...Object.values(scansContext.reactions),
  ],
})
export class ScansModule {}
