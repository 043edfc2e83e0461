import type { Server } from 'node:http';

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Where agencies reach the API (D114): `API_URL`, or else where it listens. Nobody can call a wildcard. */
export const publicAddress = (apiUrl: string | undefined, server: Pick<Server, 'address'>): string => {
  if (apiUrl !== undefined) return apiUrl;
  const address = server.address();
  if (typeof address !== 'object' || address === null) return '';
  const host = WILDCARDS.has(address.address) ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
};

/** What a proxy has before the paths of the API, such as `/protect`; mostly nothing. */
export const publicPath = (apiUrl: string | undefined): string =>
  apiUrl === undefined ? '' : new URL(apiUrl).pathname.replace(/\/$/, '');
