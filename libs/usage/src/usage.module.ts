import { Module } from '@nestjs/common';
import { readModelProvider } from '#projections';
import { ListProtectionIntervalsHandler } from './application/list-protection-intervals.js';
import { MeterProtectionHandler } from './application/meter-protection.js';
import { UsageMeterRepository } from './application/usage-meter.repository.js';
import { UsageStatements } from './application/usage-statements.js';
import { ExplainCreatorsHandler } from './read-models/explain-creators.js';
import { ExplainMonthHandler } from './read-models/explain-month.js';
import { GetUsageHandler } from './read-models/get-usage.js';
import { UsageIntervals, usageIntervalsProjection } from './read-models/usage-intervals.js';
import { usageContext } from './usage.context.js';

@Module({
  providers: [
    UsageMeterRepository,
    MeterProtectionHandler,
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
