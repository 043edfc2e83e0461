import type { Leases } from '#jobs';
import { type Clock, type Duration, type Instant, type Logger, SECOND, type WebhookEndpointId } from '#kernel';
import type { WaitingEndpoint, WebhookBacklog } from '../application/ports.js';
import { Bell } from './signal.js';
import type { WebhookAttempts } from './webhook-attempts.js';
import { WebhookLane } from './webhook-lane.js';

/** How often what other processes have scheduled is looked for, at least. */
const LOOK: Duration = 500;
/** How long to wait before looking again, however often it is woken, and never less than the look itself took. */
const APART: Duration = 5;
const LEASE: Duration = 6 * SECOND;
/** When an endpoint is asked for again that another process has, or for which all that is due was put off. */
const QUIET: Duration = 500;

interface OpenLane {
  readonly lane: WebhookLane;
  running: Promise<void> | undefined;
  /** By the clock that never stands still: until then there is nothing to do here, as far as is known. */
  quietUntil: number;
}

/**
 * Has all that is due delivered: a lane for each endpoint that waits, in one process at a time, and nothing claimed for
 * a single delivery.
 */
export class WebhookDispatch {
  private readonly stopping = new AbortController();
  private readonly bell = new Bell();
  private readonly lanes = new Map<WebhookEndpointId, OpenLane>();
  private loop: Promise<void> | undefined;
  private polls = 0;

  constructor(
    private readonly backlog: Pick<WebhookBacklog, 'waiting' | 'due'>,
    private readonly attempts: WebhookAttempts,
    private readonly leases: Leases,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Starts once `ready` resolves, so that nothing is sent by a read model that is behind. */
  start(ready: Promise<unknown>): void {
    this.loop ??= ready.then(() => this.run());
  }

  /** Something may have become due. */
  nudge(): void {
    this.bell.ring();
  }

  /** Begins no more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.nudge();
    await this.loop;
    await this.settled();
  }

  /** How often it has looked, and whether it is now at work: for a test that waits until it is not. */
  get activity(): { readonly polls: number; readonly isBusy: boolean } {
    return { polls: this.polls, isBusy: [...this.lanes.values()].some(({ running }) => running !== undefined) };
  }

  /** Delivers what is due now, and waits for it. */
  async runDue(): Promise<void> {
    await this.look();
    await this.settled();
  }

  private async settled(): Promise<void> {
    await Promise.all([...this.lanes.values()].map(({ running }) => running));
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const woken = this.bell.next;
      const began = performance.now();
      try {
        const next = await this.look();
        await this.rest(woken, performance.now() - began, next);
      } catch (error) {
        this.logger.error({ err: error }, 'due webhook deliveries could not be looked for');
        await this.rest(woken, LOOK, undefined);
      }
    }
  }

  /** Opens lanes for what is due; returns when the next will be. */
  private async look(): Promise<Instant | undefined> {
    const now = this.clock.now();
    const waiting = await this.backlog.waiting();
    let next: Instant | undefined;
    for (const { endpointId, dueAt } of waiting) {
      const open = this.laneOf(endpointId);
      if (open.running !== undefined) {
        open.lane.nudge();
        continue;
      }
      const readyAt = Math.max(dueAt, open.lane.restsUntil);
      if (readyAt <= now) this.begin(endpointId, open);
      else next = Math.min(next ?? readyAt, readyAt);
    }
    this.forgetAllBut(waiting);
    this.polls++;
    return next;
  }

  private laneOf(endpointId: WebhookEndpointId): OpenLane {
    const known = this.lanes.get(endpointId);
    if (known !== undefined) return known;
    const lane = new WebhookLane(endpointId, this.backlog, this.attempts, this.clock, this.logger);
    const open: OpenLane = { lane, running: undefined, quietUntil: 0 };
    this.lanes.set(endpointId, open);
    return open;
  }

  /** The pace of an endpoint is remembered while anything waits for it. */
  private forgetAllBut(waiting: readonly WaitingEndpoint[]): void {
    if (this.lanes.size === waiting.length) return;
    const ids = new Set(waiting.map(({ endpointId }) => endpointId));
    for (const [id, { running, lane }] of this.lanes) {
      if (running !== undefined) lane.nudge();
      else if (!ids.has(id)) this.lanes.delete(id);
    }
  }

  private begin(endpointId: WebhookEndpointId, open: OpenLane): void {
    if (this.stopping.signal.aborted || performance.now() < open.quietUntil) return;
    open.running = this.drive(endpointId, open)
      .catch((error: unknown) => {
        this.logger.error({ err: error, endpointId }, 'deliveries to a webhook endpoint stopped; starting over');
        open.quietUntil = performance.now() + QUIET;
      })
      .finally(() => {
        open.running = undefined;
        this.nudge();
      });
  }

  private async drive(endpointId: WebhookEndpointId, open: OpenLane): Promise<void> {
    const lease = await this.leases.acquire(`webhooks:${endpointId}`, LEASE);
    if (lease === undefined) {
      open.quietUntil = performance.now() + QUIET;
      return;
    }
    const hadWork = await this.leases.withRenewal(lease, LEASE, (lost) =>
      open.lane.run(AbortSignal.any([this.stopping.signal, lost])),
    );
    if (!hadWork) open.quietUntil = performance.now() + QUIET;
  }

  private async rest(woken: Promise<void>, lookTook: number, next: Instant | undefined): Promise<void> {
    await pause(this.stopping.signal, Math.max(APART, lookTook));
    const wait = next === undefined ? LOOK : Math.min(LOOK, Math.max(1, next - this.clock.now()));
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, wait);
    });
    await Promise.race([woken, over]);
    clearTimeout(timer);
  }
}

const pause = async (over: AbortSignal, time: number): Promise<void> => {
  if (!over.aborted) await new Promise((resolve) => setTimeout(resolve, time));
};
