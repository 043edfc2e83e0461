import { assertLeading, type Clock, type Duration, SECOND } from '#kernel';
import type { SendOutcome, WebhookRequest, WebhookSender } from '#webhooks';
import { checkedAddresses, type NameResolver } from './checked-addresses.js';
import { pinnedConnector } from './pinned-connector.js';
import { SendFailure } from './send-failure.js';
import { TargetPool } from './target-pool.js';
import { hostOf, type TargetRules } from './target-rules.js';

export interface SenderOptions {
  readonly rules: TargetRules;
  readonly resolve: NameResolver;
  readonly clock: Clock;
  /** The time limit from connecting to response headers; default: D60's five seconds. */
  readonly timeout?: Duration;
  /** Certificate authorities to trust in place of the usual ones, as PEM. */
  readonly ca?: string;
}

const TIMEOUT: Duration = 5 * SECOND;
/** How long a pool is kept without use, and how often this is checked. */
const IDLE_TIMEOUT: Duration = 10 * SECOND;

/** Sends over kept-alive HTTP/1.1, with a separate pool for each endpoint and URL; follows no redirect and uses no proxy. */
export class UndiciSender implements WebhookSender {
  private readonly targets = new Map<string, TargetPool>();
  private readonly addressesOf: NameResolver;
  private readonly timeout: Duration;
  private readonly underWay = new Set<Promise<SendOutcome>>();
  private isClosed = false;
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly options: SenderOptions) {
    this.addressesOf = checkedAddresses(options.rules, options.resolve);
    this.timeout = options.timeout ?? TIMEOUT;
  }

  async send(request: WebhookRequest): Promise<SendOutcome> {
    if (this.isClosed) throw new Error('the sender is closed');
    assertLeading();
    const target = this.targets.get(keyOf(request)) ?? this.open(request);
    if (target === undefined) return { status: null, error: 'target_forbidden' };
    const outcome = target.send(request);
    this.underWay.add(outcome);
    return outcome.finally(() => this.underWay.delete(outcome));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.allSettled(this.underWay);
    clearInterval(this.sweeper);
    await Promise.all([...this.targets.values()].map((target) => target.close()));
    this.targets.clear();
  }

  /** By the rules of sending, checked beforehand. */
  async problem(url: string): Promise<string | undefined> {
    const problem = this.options.rules.urlProblem(url);
    if (problem !== undefined) return problem;
    try {
      await this.addressesOf(hostOf(new URL(url)));
      return undefined;
    } catch (error) {
      if (!(error instanceof SendFailure)) throw error;
      return error.code === 'target_forbidden'
        ? `must resolve to public addresses only; one is ${error.cause}`
        : 'must have a host name that resolves';
    }
  }

  get size(): number {
    return this.targets.size;
  }

  /** Undefined if the URL is not allowed: an endpoint may have been registered under earlier rules. */
  private open(request: WebhookRequest): TargetPool | undefined {
    const { url } = request;
    if (this.options.rules.urlProblem(url) !== undefined) return undefined;
    const { clock, ca } = this.options;
    const connect = pinnedConnector(this.addressesOf, { timeout: this.timeout, ca });
    const target = new TargetPool(new URL(url), { connect, clock, timeout: this.timeout });
    this.targets.set(keyOf(request), target);
    this.sweeper ??= setInterval(() => this.sweep(), IDLE_TIMEOUT).unref();
    return target;
  }

  private sweep(): void {
    for (const [key, target] of this.targets) {
      if (!target.isIdle || performance.now() - target.lastUsed < IDLE_TIMEOUT) continue;
      this.targets.delete(key);
      void target.close();
    }
  }
}

/** Endpoints may have the same URL, those of different agencies too; a change of an endpoint's URL gets a new pool. */
const keyOf = ({ endpointId, url }: WebhookRequest): string => `${endpointId} ${url}`;
