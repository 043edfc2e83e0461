import type { SearchProvider } from '#deindexing';
import { Caches } from '#kernel';
import type { ScanEngine } from '#scans';
import type { ServiceAddress } from './http-service.js';
import { engineClient, searchClient } from './outbound-clients.js';
import { PagedReader } from './paged-reader.js';
import { type PlatformClient, platformClient } from './platform-client.js';
import { Provider, type ProviderOptions } from './provider.js';

export interface NativePlatformOptions extends ProviderOptions {
  readonly platform?: ServiceAddress | undefined;
  readonly engine?: ServiceAddress | undefined;
  readonly search?: ServiceAddress | undefined;
  readonly caches?: Caches;
}

/** The systems around this service, as the ports of the contexts. */
export abstract class NativePlatform {
  abstract readonly client: PlatformClient;
  abstract readonly engine: ScanEngine;
  abstract readonly search: SearchProvider;
  /** Waits for calls in flight; later calls are `provider_unavailable`. */
  abstract close(): Promise<void>;
  /** Aborts calls in flight, with the error of a broken connection. */
  abstract abortInFlight(): Promise<void>;
}

export const createNativePlatform = (options: NativePlatformOptions): NativePlatform => {
  const platform = new Provider(options.platform, 'agency_verification_unavailable', options);
  const engine = new Provider(options.engine, 'svc_engine_not_configured', options);
  const search = new Provider(options.search, 'svc_engine_not_configured', options);
  const all = [platform, engine, search];
  return {
    client: platformClient(platform, new PagedReader(platform, options.caches ?? Caches.ON)),
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
