import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { Creators } from '#creators';
import { CreatorsModule } from '#creators/module';
import { Deindexing } from './application/deindexing.js';
import { DeindexingOptions } from './deindexing.options.js';
import { deindexingHandlers } from './handlers.js';
import { DeindexProgress } from './processes/deindex-progress.js';

@Module({
  imports: [AgenciesModule, CreatorsModule],
  providers: [
    Deindexing,
    ...deindexingHandlers,
    {
      provide: DeindexProgress,
      useFactory: (creators: Creators, deindexing: Deindexing, access: AgencyAccess, options: DeindexingOptions) =>
        new DeindexProgress(creators, deindexing, access, options),
      inject: [Creators, Deindexing, AgencyAccess, DeindexingOptions],
    },
  ],
})
export class DeindexingModule {}
