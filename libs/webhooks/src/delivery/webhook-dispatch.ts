import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ClockWatch, POLL_INTERVAL, Signal } from '#jobs';
import { Clock, type Duration, type Instant, Logger, NEVER, SECOND, type WebhookEndpointId } from '#kernel';
import { longestRetryWait } from '../domain/retry-wait.js';
import { DeliveryList, type WaitingEndpoint } from '../read-models/delivery-list.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { EndpointDispatcher } from './endpoint-dispatcher.js';
import { WebhookAttempts } from './webhook-attempts.js';

/** Shortest time between two polls, even if it is notified more often; at least as long as the last poll took. */
const MIN_POLL_GAP: Duration = 5;
/** When to try an endpoint again whose due deliveries are all deferred. */
const RETRY_INTERVAL: Duration = 500;
/** How often deliveries are tried that are not due, while the clocks are in doubt. */
const DOUBT_INTERVAL: Duration = 15 * SECOND;

interface ActiveDispatcher {
  readonly dispatcher: EndpointDispatcher;
  running: Promise<void> | undefined;
  /** By `performance.now()`: before this time nothing is known to be due. */
  quietUntil: number;
  /** By `Clock.elapsed`: when its deliveries that are not due may be tried. */
  nextOfAll: Duration;
}

/** One dispatcher for each endpoint. A single delivery needs no claim, because only the leader runs this. */
@Injectable()
export class WebhookDispatch {
  private stopping = new AbortController();
  private readonly signal = new Signal();
  private readonly dispatchers = new Map<WebhookEndpointId, ActiveDispatcher>();
  private loop: Promise<void> | undefined;
  private polls = 0;

  constructor(
    private readonly backlog: DeliveryList,
    private readonly attempts: WebhookAttempts,
    private readonly clocks: ClockWatch,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Starts once `ready` resolves, so that nothing is sent by a read model that is behind. */
  start(ready: Promise<unknown>): void {
    this.stopping = new AbortController();
    this.loop = ready.then(() => this.run());
  }

  notify(): void {
    this.signal.notify();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.notify();
    await this.loop;
    await this.settled();
  }

  /** Number of polls, and whether a dispatcher runs. Tests use it to wait until nothing does. */
  get activity(): { readonly polls: number; readonly isBusy: boolean } {
    return { polls: this.polls, isBusy: [...this.dispatchers.values()].some(({ running }) => running !== undefined) };
  }

  async runDue(): Promise<void> {
    await this.poll();
    await this.settled();
  }

  private async settled(): Promise<void> {
    await Promise.all([...this.dispatchers.values()].map(({ running }) => running));
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const notified = this.signal.wait();
      const startedAt = performance.now();
      try {
        const next = await this.poll();
        await this.waitForNext(notified, performance.now() - startedAt, next);
      } catch (error) {
        this.logger.error({ err: error }, 'could not look up due webhook deliveries; the next poll tries again');
        await this.waitForNext(notified, POLL_INTERVAL, undefined);
      }
    }
  }

  /** Starts dispatchers for endpoints with due deliveries; returns when the next delivery is due. */
  private async poll(): Promise<Instant | undefined> {
    const now = this.clock.now();
    const waiting = await this.backlog.waiting();
    let next: Instant | undefined;
    for (const { endpointId, dueAt } of waiting) {
      const active = this.dispatcherOf(endpointId);
      if (active.running !== undefined) {
        active.dispatcher.notify();
        continue;
      }
      const readyAt = Math.max(dueAt, active.dispatcher.pausedUntil(now));
      const all = this.isFalse(dueAt, now) && this.clock.elapsed() >= active.nextOfAll;
      if (all || readyAt <= now) this.startDispatcher(endpointId, active, all);
      else next = Math.min(next ?? readyAt, readyAt);
    }
    this.dropIdleDispatchers(waiting);
    this.polls++;
    return next;
  }

  /** Whether a wrong clock may have set this due time, or one of those after it (D93). */
  private isFalse(dueAt: Instant, now: Instant): boolean {
    return dueAt < NEVER && (this.clocks.isInDoubt || dueAt > now + longestRetryWait(this.options.backoff));
  }

  private dispatcherOf(endpointId: WebhookEndpointId): ActiveDispatcher {
    const known = this.dispatchers.get(endpointId);
    if (known !== undefined) return known;
    const dispatcher = new EndpointDispatcher(endpointId, this.backlog, this.attempts, this.clock, this.logger);
    const active: ActiveDispatcher = { dispatcher, running: undefined, quietUntil: 0, nextOfAll: 0 };
    this.dispatchers.set(endpointId, active);
    return active;
  }

  /** A dispatcher, and with it the endpoint's pace, is kept while deliveries are pending. */
  private dropIdleDispatchers(waiting: readonly WaitingEndpoint[]): void {
    if (this.dispatchers.size === waiting.length) return;
    const ids = new Set(waiting.map(({ endpointId }) => endpointId));
    for (const [id, { running, dispatcher }] of this.dispatchers) {
      if (running !== undefined) dispatcher.notify();
      else if (!ids.has(id)) this.dispatchers.delete(id);
    }
  }

  private startDispatcher(endpointId: WebhookEndpointId, active: ActiveDispatcher, all: boolean): void {
    if (this.stopping.signal.aborted || performance.now() < active.quietUntil) return;
    active.running = this.runDispatcher(active, all)
      .catch((error: unknown) => {
        this.logger.error({ err: error, endpointId }, 'deliveries to a webhook endpoint stopped; they start again');
        active.quietUntil = performance.now() + RETRY_INTERVAL;
      })
      .finally(() => {
        active.running = undefined;
        this.notify();
      });
  }

  private async runDispatcher(active: ActiveDispatcher, all: boolean): Promise<void> {
    if (all) active.nextOfAll = this.clock.elapsed() + DOUBT_INTERVAL;
    const hadWork = await active.dispatcher.run(this.stopping.signal, all);
    if (!hadWork) active.quietUntil = performance.now() + RETRY_INTERVAL;
  }

  private async waitForNext(notified: Promise<void>, pollTook: number, next: Instant | undefined): Promise<void> {
    if (!this.stopping.signal.aborted) await delay(Math.max(MIN_POLL_GAP, pollTook));
    await this.signal.waitForPoll(notified, next, this.clock.now());
  }
}
