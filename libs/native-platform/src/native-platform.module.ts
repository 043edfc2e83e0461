import { type DynamicModule, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AgencyBilling, AgencyDirectory } from '#agencies';
import { ActivityPlatform, LeakPlatform } from '#cases';
import { CreatorPlatform } from '#creators';
import { SearchProvider } from '#deindexing';
import { ImpersonationPlatform } from '#impersonations';
import { ScanEngine } from '#scans';
import { createNativePlatform, NativePlatform, type NativePlatformOptions } from './native-platform.js';

@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(private readonly platform: NativePlatform) {}

  static forRoot(options: NativePlatformOptions): DynamicModule {
    const port = <Port>(
      provide: abstract new (...given: never[]) => Port,
      useFactory: (platform: NativePlatform) => NoInfer<Port>,
    ) => ({ provide, useFactory, inject: [NativePlatform] });
    const client = (platform: NativePlatform) => platform.client;
    const providers = [
      { provide: NativePlatform, useFactory: () => createNativePlatform(options) },
      port(AgencyDirectory, client),
      port(AgencyBilling, client),
      port(CreatorPlatform, client),
      port(LeakPlatform, client),
      port(ImpersonationPlatform, client),
      port(ActivityPlatform, client),
      port(ScanEngine, ({ engine }) => engine),
      port(SearchProvider, ({ search }) => search),
    ];
    return { module: PlatformModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.platform.close();
  }
}
