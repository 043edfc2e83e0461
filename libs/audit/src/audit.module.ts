import { Module } from '@nestjs/common';
import { CreatorsModule } from '#creators/module';
import { UsageModule } from '#usage/module';
import { CompareReadModelsHandler } from './compare-read-models.js';
import { ExplainUsageHandler } from './explain-usage.js';
import { MakeUsageStatementHandler } from './make-usage-statement.js';
import { ReadHistoryHandler } from './read-history.js';
import { ReadStreamStatesHandler } from './read-stream-states.js';
import { GetNewestSealHandler, ListSealsHandler, SealLogHandler } from './seals.js';
import { SignUsageStatementHandler } from './sign-usage-statement.js';

@Module({
  imports: [CreatorsModule, UsageModule],
  providers: [
    ReadHistoryHandler,
    ReadStreamStatesHandler,
    ExplainUsageHandler,
    SignUsageStatementHandler,
    MakeUsageStatementHandler,
    ListSealsHandler,
    GetNewestSealHandler,
    SealLogHandler,
    CompareReadModelsHandler,
  ],
})
export class AuditModule {}
