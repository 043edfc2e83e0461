import { type DynamicModule, Module } from '@nestjs/common';
import { PrivacyModule } from '#privacy/module';
import { ServiceModule, type ServiceOptions } from '../../service/src/service.module.js';

/** The root module of the command-line tool. */
@Module({})
export class CliModule {
  static forRoot(options: ServiceOptions): DynamicModule {
    return { module: CliModule, imports: [ServiceModule.forRoot(options), PrivacyModule] };
  }
}
