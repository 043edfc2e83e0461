import { type DynamicModule, Module } from '@nestjs/common';
import { AuditModule } from '#audit/module';
import { CallCounts, RefusedRequests } from '#dashboard';
import { ReplaceableMasterKey } from '#privacy';
import { PrivacyModule } from '#privacy/module';
import { MasterKeys } from '#stores';
import { ServiceModule, type ServiceOptions } from '../../../service/src/service.module.js';
import { Operator } from '../operator.js';
import { ToolRunners } from '../tool-runners.js';

@Module({})
export class CliModule {
  static forRoot(options: ServiceOptions): DynamicModule {
    return {
      module: CliModule,
      global: true,
      imports: [ServiceModule.forRoot(options), PrivacyModule, AuditModule],
      providers: [
        Operator,
        ToolRunners,
        CallCounts,
        RefusedRequests,
        { provide: ReplaceableMasterKey, useExisting: MasterKeys },
      ],
      exports: [ReplaceableMasterKey],
    };
  }
}
