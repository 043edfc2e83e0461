import type { Config } from '#configuration';

/** What the guards of the API need of the configuration. */
export abstract class ApiOptions {
  /** Requests of one agency in a UTC minute; 0 for no limit. */
  abstract readonly rateLimitPerMinute: Config['rateLimitPerMinute'];
  abstract readonly trustedProxies: Config['trustedProxies'];
}
