import type { AgencyBilling, AgencyDirectory } from '#agencies';
import type { ActivityPlatform, LeakPlatform } from '#cases';
import type { CreatorPlatform } from '#creators';
import type { SearchProvider } from '#deindexing';
import type { ImpersonationPlatform } from '#impersonations';
import { Caches, type ErrorCode } from '#kernel';
import type { ScanEngine } from '#scans';
import { engineClient } from './engine-client.js';
import type { ServiceAddress } from './http-service.js';
import { PagedReader } from './paged-reader.js';
import { platformClient } from './platform-client.js';
import { Provider, type ProviderOptions } from './provider.js';
import { searchClient } from './search-client.js';
import { unconfigured } from './unconfigured.js';

export interface NativePlatformOptions extends ProviderOptions {
  readonly platform?: ServiceAddress | undefined;
  readonly engine?: ServiceAddress | undefined;
  readonly search?: ServiceAddress | undefined;
  readonly caches?: Caches;
}

/** The systems around this service, as the ports of the contexts. */
export abstract class NativePlatform {
  abstract readonly directory: AgencyDirectory;
  abstract readonly billing: AgencyBilling;
  abstract readonly creators: CreatorPlatform;
  abstract readonly leaks: LeakPlatform;
  abstract readonly impersonations: ImpersonationPlatform;
  abstract readonly activity: ActivityPlatform;
  abstract readonly engine: ScanEngine;
  abstract readonly search: SearchProvider;
  /** Waits for calls in flight; later ones are `provider_unavailable`. */
  abstract close(): Promise<void>;
  /** Aborts calls in flight, with the error of a broken connection. */
  abstract abortInFlight(): Promise<void>;
}

export const createNativePlatform = (options: NativePlatformOptions): NativePlatform => {
  const callsTo = (address: ServiceAddress | undefined, withoutAddress: ErrorCode) =>
    address ? new Provider(address, options) : unconfigured(withoutAddress);
  const platform = callsTo(options.platform, 'agency_verification_unavailable');
  const engine = callsTo(options.engine, 'svc_engine_not_configured');
  const search = callsTo(options.search, 'svc_engine_not_configured');
  const all = [platform, engine, search];
  const client = platformClient(platform, new PagedReader(platform, options.caches ?? Caches.ON));
  return {
    directory: client,
    billing: client,
    creators: client,
    leaks: client,
    impersonations: client,
    activity: client,
    engine: engineClient(engine),
    search: searchClient(search),
    close: async () => {
      await Promise.all(all.map((calls) => calls.close()));
    },
    abortInFlight: async () => {
      await Promise.all(all.map((calls) => calls.abortInFlight()));
    },
  };
};
