import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;
type Network = readonly [Address, number];

/**
 * Parses an address; an IPv4 address in IPv6 form becomes IPv4. Undefined for any other text, and for text that only
 * one of the two parsers accepts: one of them accepts `1`, the other one `fe80::1%eth0.1`.
 */
export const addressIn = (text: string): Address | undefined =>
  isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : undefined;

/** The proxies in front of the API whose `X-Forwarded-For` counts: addresses and networks. */
export class TrustedProxies {
  static readonly NONE = new TrustedProxies([]);

  private constructor(private readonly networks: readonly Network[]) {}

  /** Undefined if a part of the list is neither an address nor a network. */
  static parse(list: string): TrustedProxies | undefined {
    const networks = list.split(',').map((part) => networkIn(part.trim()));
    return networks.includes(undefined)
      ? undefined
      : new TrustedProxies(networks.filter((network) => network !== undefined));
  }

  includes(address: Address): boolean {
    return this.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

const networkIn = (text: string): Network | undefined => {
  const [base = '', prefix, ...rest] = text.split('/');
  const address = addressIn(base);
  if (address === undefined || rest.length > 0) return undefined;
  const bits = address.toByteArray().length * 8;
  if (prefix === undefined) return [address, bits];
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  // The prefix of an IPv4 network in IPv6 form includes the 96 bits before it.
  const length = Number(prefix) - (isIP(base) === 6 && address.kind() === 'ipv4' ? 96 : 0);
  return length < 0 || length > bits ? undefined : [address, length];
};
