import { Module } from '@nestjs/common';
import { ReadModels } from '#projections';
import { StartMeteringHandler } from './application/start-metering.js';
import { StopMeteringHandler } from './application/stop-metering.js';
import { UsageMeterRepository } from './application/usage-meter.repository.js';
import { GetUsageHandler } from './read-models/get-usage.js';
import { UsageReader } from './read-models/usage-figures.js';
import { usageMonthsProjection } from './read-models/usage-months.js';
import { usageOpeningsProjection } from './read-models/usage-openings.js';
import { usageContext } from './usage.context.js';

@Module({
  providers: [
    {
      provide: UsageReader,
      useFactory: (readModels: ReadModels) =>
        new UsageReader(readModels.of(usageMonthsProjection), readModels.of(usageOpeningsProjection)),
      inject: [ReadModels],
    },
    UsageMeterRepository,
    StartMeteringHandler,
    StopMeteringHandler,
    GetUsageHandler,
    ...Object.values(usageContext.reactions),
  ],
})
export class UsageModule {}
