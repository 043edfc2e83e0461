import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { type Duration, SECOND } from '#kernel';
import { SendFailure } from './send-failure.js';
import type { TargetRules } from './target-rules.js';

/** All addresses of a host name, IPv4 first. Rejects if there are none, or the lookup failed. */
export type NameResolver = (name: string) => Promise<readonly string[]>;

/** Two tries, of which the second waits longer, fit into the time for connecting. */
const QUERY_TIMEOUT: Duration = 1.5 * SECOND;

/**
 * Asks only DNS servers: neither /etc/hosts nor a search domain of this machine can give a public name an
 * address. `servers` has the form of `Resolver.setServers`; default: the system's.
 */
export const dnsResolver = (servers?: readonly string[]): NameResolver => {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [refusal] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (addresses.length === 0) throw refusal ?? new Error('no address');
    return addresses;
  };
};

/** All names that this machine knows, such as `localhost` or those of containers; for development. */
export const systemResolver: NameResolver = async (name) => {
  const addresses = await dns.lookup(name, { all: true, order: 'ipv4first' });
  return addresses.map(({ address }) => address);
};

/** How many addresses to try; all addresses are checked. */
const MAX_ADDRESSES = 4;

/**
 * Resolves a host to the addresses to connect to, in this order, if each of its addresses is allowed. Rejects with
 * `dns_failed` or `target_forbidden`.
 */
export const checkedAddresses =
  (rules: TargetRules, resolve: NameResolver): NameResolver =>
  async (host) => {
    const addresses = isIP(host) === 0 ? await lookUp(resolve, host) : [host];
    for (const address of addresses) {
      const problem = rules.addressProblem(address);
      if (problem !== undefined) throw new SendFailure('target_forbidden', { cause: problem });
    }
    return addresses.slice(0, MAX_ADDRESSES);
  };

const lookUp = (resolve: NameResolver, name: string): Promise<readonly string[]> =>
  resolve(name).catch((cause: unknown) => {
    throw new SendFailure('dns_failed', { cause });
  });
