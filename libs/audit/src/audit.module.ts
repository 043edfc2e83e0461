import { Module } from '@nestjs/common';
import { ExplainUsageHandler } from './explain-usage.js';
import { ReadHistoryHandler } from './read-history.js';
import { ReadStreamStatesHandler } from './read-stream-states.js';
import { SignUsageStatementHandler } from './sign-usage-statement.js';

@Module({
  providers: [ReadHistoryHandler, ReadStreamStatesHandler, ExplainUsageHandler, SignUsageStatementHandler],
})
export class AuditModule {}
