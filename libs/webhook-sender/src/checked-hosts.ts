import { isIP } from 'node:net';
import type { TargetRules } from '#webhooks';
import type { NameResolver } from './name-resolver.js';
import { SendFailure } from './send-failure.js';

/** How many addresses to try; all addresses are checked. */
const MAX_ADDRESSES = 4;

/** Resolves hosts, and returns addresses only if each address of the host is allowed. */
export class CheckedHosts {
  constructor(
    private readonly rules: TargetRules,
    private readonly resolve: NameResolver,
  ) {}

  /** The addresses to connect to, in this order. Rejects with `dns_failed` or `target_forbidden`. */
  async addressesOf(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await this.lookUp(host) : [host];
    for (const address of addresses) {
      const problem = this.rules.addressProblem(address);
      if (problem !== undefined) throw new SendFailure('target_forbidden', { cause: problem });
    }
    return addresses.slice(0, MAX_ADDRESSES);
  }

  private async lookUp(name: string): Promise<readonly string[]> {
    try {
      return await this.resolve(name);
    } catch (cause) {
      throw new SendFailure('dns_failed', { cause });
    }
  }
}
