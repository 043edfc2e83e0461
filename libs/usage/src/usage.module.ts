import { Module } from '@nestjs/common';
import { StartMeteringHandler } from './application/start-metering.js';
import { StopMeteringHandler } from './application/stop-metering.js';
import { UsageMeterRepository } from './application/usage-meter.repository.js';
import { GetUsageHandler } from './read-models/get-usage.js';
import { UsageReader } from './read-models/usage-figures.js';
import { usageContext } from './usage.context.js';

@Module({
  providers: [
    UsageReader,
    UsageMeterRepository,
    StartMeteringHandler,
    StopMeteringHandler,
    GetUsageHandler,
    ...Object.values(usageContext.reactions),
  ],
})
export class UsageModule {}
