import type { AgencyBilling, AgencyDirectory } from '#agencies';
import type { ActivityPlatform, LeakPlatform } from '#cases';
import type { CreatorPlatform } from '#creators';
import type { SearchProvider } from '#deindexing';
import type { ImpersonationPlatform } from '#impersonations';
import type { ScanEngine } from '#scans';
import { engineClient } from './engine-client.js';
import type { ServiceAddress } from './http-service.js';
import { platformClient } from './platform-client.js';
import { Provider, type ProviderOptions } from './provider.js';
import { searchClient } from './search-client.js';
import { unconfiguredEngine, unconfiguredPlatform, unconfiguredSearch } from './unconfigured.js';

export interface NativePlatformOptions extends ProviderOptions {
  readonly platform?: ServiceAddress | undefined;
  readonly engine?: ServiceAddress | undefined;
  readonly search?: ServiceAddress | undefined;
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

export const createNativePlatform = ({
  platform,
  engine,
  search,
  ...options
}: NativePlatformOptions): NativePlatform => {
  const providerAt = (address: ServiceAddress | undefined) => address && new Provider(address, options);
  const atPlatform = providerAt(platform);
  const atEngine = providerAt(engine);
  const atSearch = providerAt(search);
  const client = atPlatform ? platformClient(atPlatform) : unconfiguredPlatform;
  const providers = [atPlatform, atEngine, atSearch].filter((provider) => provider !== undefined);
  return {
    directory: client,
    billing: client,
    creators: client,
    leaks: client,
    impersonations: client,
    activity: client,
    engine: atEngine ? engineClient(atEngine) : unconfiguredEngine,
    search: atSearch ? searchClient(atSearch) : unconfiguredSearch,
    close: async () => {
      await Promise.all(providers.map((provider) => provider.close()));
    },
    abortInFlight: async () => {
      await Promise.all(providers.map((provider) => provider.abortInFlight()));
    },
  };
};
