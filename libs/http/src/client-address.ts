import type { IncomingHttpHeaders } from 'node:http';
import { addressIn, type TrustedProxies } from '#configuration';

type Address = NonNullable<ReturnType<typeof addressIn>>;

interface Forwarded {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: IncomingHttpHeaders;
}

/** Of IPv6 the /64 network, as one host has all of it. `X-Forwarded-For` is read from the right, as far as it is trusted. */
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
