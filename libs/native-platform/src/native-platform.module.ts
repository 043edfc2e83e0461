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
    const port = <Name extends keyof NativePlatform>(
      provide: abstract new (...given: never[]) => NativePlatform[Name],
      name: Name,
    ) => ({ provide, useFactory: (platform: NativePlatform) => platform[name], inject: [NativePlatform] });
    const providers = [
      { provide: NativePlatform, useFactory: () => createNativePlatform(options) },
      port(AgencyDirectory, 'directory'),
      port(AgencyBilling, 'billing'),
      port(CreatorPlatform, 'creators'),
      port(LeakPlatform, 'leaks'),
      port(ImpersonationPlatform, 'impersonations'),
      port(ActivityPlatform, 'activity'),
      port(ScanEngine, 'engine'),
      port(SearchProvider, 'search'),
    ];
    return { module: PlatformModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }

  onApplicationShutdown(): Promise<void> {
    return this.platform.close();
  }
}
