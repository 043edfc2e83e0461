import type { Config } from '#configuration';

type Configured = NonNullable<Config['dashboard']>;

/** What the dashboard needs of the configuration. */
export abstract class DashboardOptions {
  /** Its public address, which ends in `/dashboard`. */
  abstract readonly url: Configured['url'];
  /** Where agencies reach the API; where it listens, without. */
  abstract readonly apiUrl: Config['apiUrl'];
  abstract readonly issuer: Configured['issuer'];
  abstract readonly clientId: Configured['clientId'];
  abstract readonly clientSecret: Configured['clientSecret'];
  abstract readonly scope: Configured['scope'];
  abstract readonly providerTimeout: Config['providerTimeout'];
  abstract readonly claims: Configured['claims'];
  /** Proxies whose `X-Forwarded-*` count. */
  abstract readonly trustedProxies: Config['trustedProxies'];
}
