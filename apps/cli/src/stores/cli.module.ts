import { type DynamicModule, Module } from '@nestjs/common';
import { CallCounts, RefusedRequests } from '#dashboard';
import { ServiceModule, type ServiceOptions } from '../../../service/src/service.module.js';
import { Operator } from '../operator.js';
import { ToolRunners } from '../tool-runners.js';
import { OperatorsModule } from './operators.module.js';

@Module({})
export class CliModule {
  static forRoot(options: ServiceOptions): DynamicModule {
    return {
      module: CliModule,
      imports: [ServiceModule.forRoot(options), OperatorsModule],
      providers: [Operator, ToolRunners, CallCounts, RefusedRequests],
    };
  }
}
