import { Module } from '@nestjs/common';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import { ListProtectionIntervalsHandler } from './application/list-protection-intervals.js';
import { UsageStatements } from './application/usage-statements.js';
import { UsageMeterRepository } from './processes/metering.js';
import { ExplainCreatorsHandler, ExplainMonthHandler } from './read-models/explain-usage.js';
import { GetUsageHandler } from './read-models/get-usage.js';
import { UsageIntervals, usageIntervalsProjection } from './read-models/usage-intervals.js';
import { usageContext } from './usage.context.js';

@Module({
  providers: [
    repositoryProvider(UsageMeterRepository),
    GetUsageHandler,
    readModelProvider(UsageIntervals, usageIntervalsProjection),
    ExplainMonthHandler,
    ExplainCreatorsHandler,
    ListProtectionIntervalsHandler,
    UsageStatements,
    ...Object.values(usageContext.reactions),
  ],
  exports: [UsageStatements],
})
export class UsageModule {}
