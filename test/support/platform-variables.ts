import { DASHBOARD_CLIENT, IDENTITY_PATH } from '../../apps/platform-sandbox/src/index.js';

interface Address {
  readonly url: string;
  readonly token: string;
}

/** The variables of a service for which one sandbox is the platform, the scan engine and the search provider. */
export const platformVariables = ({ url, token }: Address) => ({
  NATIVE_PLATFORM_URL: url,
  NATIVE_PLATFORM_TOKEN: token,
  SCAN_ENGINE_URL: url,
  SCAN_ENGINE_TOKEN: token,
  DEINDEX_PROVIDER_URL: url,
  DEINDEX_PROVIDER_TOKEN: token,
});

/** The variables of a dashboard whose people the sandbox signs in. */
export const dashboardVariables = ({ url }: Address, port: number) => ({
  PORT: String(port),
  DASHBOARD_URL: `http://127.0.0.1:${port}/dashboard`,
  OIDC_ISSUER_URL: url + IDENTITY_PATH,
  OIDC_CLIENT_ID: DASHBOARD_CLIENT.id,
  OIDC_CLIENT_SECRET: DASHBOARD_CLIENT.secret,
});
