import { isIP } from 'node:net';
import type { TargetRules } from '#webhooks';
import type { NameResolver } from './name-resolver.js';
import { SendFailure } from './send-failure.js';

/** As many as are worth trying; all of them are checked. */
const TRIED = 4;

/** Resolves hosts, and gives away an address only where each one of the host is allowed. */
export class CheckedHosts {
  constructor(
    private readonly rules: TargetRules,
    private readonly resolve: NameResolver,
  ) {}

  /** What may be connected to, one after the other; rejects with `dns_failed` or `target_forbidden`. */
  async addressesOf(host: string): Promise<readonly string[]> {
    const addresses = isIP(host) === 0 ? await this.lookUp(host) : [host];
    for (const address of addresses) {
      const problem = this.rules.addressProblem(address);
      if (problem !== undefined) throw new SendFailure('target_forbidden', { cause: problem });
    }
    return addresses.slice(0, TRIED);
  }

  private async lookUp(name: string): Promise<readonly string[]> {
    try {
      return await this.resolve(name);
    } catch (cause) {
      throw new SendFailure('dns_failed', { cause });
    }
  }
}
