import { readConfig } from '#configuration';
import { createLogger } from '#observability';
import { type OpenService, openService } from '../../support/open-service.js';
import { platformVariables } from '../../support/platform-variables.js';
import { storesInMemory } from '../../support/stores.js';
import type { SandboxReady } from './sandbox.js';

export type StoreKind = 'durable' | 'memory';

/** The service over the sandbox, on durable stores in the directory or in memory. */
export const openBenchService = (
  dir: string,
  kind: StoreKind,
  sandbox: SandboxReady,
  env: Readonly<Record<string, string>> = {},
): Promise<OpenService> => {
  const config = readConfig({
    DATA_DIR: dir,
    ...platformVariables(sandbox),
    VERIFICATION_CACHE: '5s',
    // On, as it is by default: each request is counted in the document store. So high that none is refused.
    RATE_LIMIT_PER_MINUTE: '1000000000',
    // Scans are dispatched and looked after once; how they go on is another matter.
    SCAN_POLL_EVERY: '1h',
    WEBHOOK_TARGETS: 'any',
    ...env,
  });
  const logger = createLogger(config.logLevel);
  return openService(config, { logger, ...(kind === 'memory' && { stores: storesInMemory(dir) }) });
};
