import type { IncomingHttpHeaders, Server } from 'node:http';
import { addressIn, type TrustedProxies } from '#configuration';

const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Where agencies reach the API (D114): `API_URL`, or else where it listens. A wildcard is not an address to call. */
export const publicAddress = (apiUrl: string | undefined, server: Pick<Server, 'address'>): string => {
  if (apiUrl !== undefined) return apiUrl;
  const address = server.address();
  if (typeof address !== 'object' || address === null) return '';
  const host = WILDCARDS.has(address.address) ? '127.0.0.1' : address.address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
};

/** The path that a proxy puts before the API's paths, such as `/protect`; usually empty. */
export const publicPath = (apiUrl: string | undefined): string =>
  apiUrl === undefined ? '' : new URL(apiUrl).pathname.replace(/\/$/, '');

type Address = NonNullable<ReturnType<typeof addressIn>>;

interface Forwarded {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/** An IPv4 address, or the /64 network of IPv6, which one host has. Reads `X-Forwarded-For` from the right, as far as it is trusted. */
export const clientAddressOf = ({ socket, headers }: Forwarded, trusted: TrustedProxies): string => {
  let client = addressIn(socket.remoteAddress ?? '');
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  while (client !== undefined && trusted.includes(client)) {
    const next = hopIn(hops.pop());
    if (next === undefined) break;
    client = next;
  }
  return client === undefined ? 'unknown' : networkOf(client);
};

/** Some proxies add a port. */
const hopIn = (hop = ''): Address | undefined => {
  const text = hop.trim();
  const [, bracketed, plain] = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return addressIn(bracketed ?? plain ?? text);
};

const networkOf = (address: Address): string =>
  address.kind() === 'ipv6'
    ? `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
    : address.toString();
