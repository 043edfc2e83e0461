import { assertLeading, type Clock, type Duration, SECOND } from '#kernel';
import type { SendOutcome, TargetRules, WebhookRequest, WebhookSender } from '#webhooks';
import { checkedAddresses } from './checked-addresses.js';
import type { NameResolver } from './name-resolver.js';
import { pinnedConnector } from './pinned-connector.js';
import { TargetPool } from './target-pool.js';

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
  private underWay = 0;
  private whenQuiet: (() => void) | undefined;
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
    if (target === undefined) return { kind: 'failed', error: 'target_forbidden' };
    this.underWay++;
    try {
      return await target.send(request);
    } finally {
      this.underWay--;
      if (this.underWay === 0) this.whenQuiet?.();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.underWay > 0) {
      await new Promise<void>((quiet) => {
        this.whenQuiet = quiet;
      });
    }
    clearInterval(this.sweeper);
    await Promise.all([...this.targets.values()].map((target) => target.close()));
    this.targets.clear();
  }

  get size(): number {
    return this.targets.size;
  }

  /** Undefined where the URL is not allowed: an endpoint may have been registered under other rules than hold now. */
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
