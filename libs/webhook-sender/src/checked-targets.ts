import { hostOf, type TargetPolicy, type TargetRules } from '#webhooks';
import { checkedAddresses } from './checked-addresses.js';
import type { NameResolver } from './name-resolver.js';
import { SendFailure } from './send-failure.js';

/** The rules of sending, checked beforehand: the URL's form, and all addresses of its host. */
export class CheckedTargets implements TargetPolicy {
  private readonly addressesOf: NameResolver;

  constructor(
    private readonly rules: TargetRules,
    resolve: NameResolver,
  ) {
    this.addressesOf = checkedAddresses(rules, resolve);
  }

  async problem(url: string): Promise<string | undefined> {
    return this.rules.urlProblem(url) ?? this.hostProblem(hostOf(new URL(url)));
  }

  private async hostProblem(host: string): Promise<string | undefined> {
    try {
      await this.addressesOf(host);
      return undefined;
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      return error.code === 'target_forbidden'
        ? `must lead to public addresses only; one is ${error.cause}`
        : 'must have a host that can be resolved';
    }
  }
}
