import { isIP } from 'node:net';
import type { TargetRules } from '#webhooks';
import type { NameResolver } from './name-resolver.js';
import { SendFailure } from './send-failure.js';

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
