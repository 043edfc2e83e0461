import { setTimeout as delay } from 'node:timers/promises';
import { isInfrastructureFailure, MAX_TRIES } from '#jobs';
import {
  type Clock,
  type Duration,
  type Instant,
  type Logger,
  SECOND,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import type { DueDelivery, WebhookBacklog } from '../application/ports.js';
import { FULL_PACE, type Pace, paceAfter } from '../domain/pace.js';
import { Bell } from './signal.js';
import type { Attempted, WebhookAttempts } from './webhook-attempts.js';

/** Deliveries that are looked up at once: what waits beyond them waits in the store and not in memory. */
const BATCH = 1_024;
/** Attempts that have been sent, are being recorded, or are still shown as due. */
const MOST_OPEN = 512;
const GATHERING: Duration = 40;
const RETRY_FIRST: Duration = SECOND;
const RETRY_MOST: Duration = 300 * SECOND;

interface PutOff {
  /** How often of these the failure was the delivery's own (D67). */
  readonly tries: number;
  /** How often in a row it could not be attempted. */
  readonly failures: number;
  readonly until: Instant;
}

/** The deliveries to one endpoint, at a pace of its own: whatever becomes of them, no other endpoint waits (D63). */
export class WebhookLane {
  private readonly bell = new Bell();
  /** Taken up when they were due then; the read model may still show them so. */
  private readonly taken = new Map<WebhookDeliveryId, Instant>();
  private readonly putOff = new Map<WebhookDeliveryId, PutOff>();
  private pace: Pace = FULL_PACE;
  /** Successes that are being recorded. */
  private readonly successes = new Set<Promise<void>>();
  /** The read model may have moved on since it was looked at. */
  private isNudged = false;
  private gathering: Promise<void> | undefined;
  private handingOn: NodeJS.Immediate | undefined;
  private begun = 0;
  private sending = 0;
  private underWay = 0;
  /** Nothing may be sent before. */
  restsUntil: Instant = 0;

  constructor(
    private readonly endpointId: WebhookEndpointId,
    private readonly backlog: Pick<WebhookBacklog, 'due'>,
    private readonly attempts: Pick<WebhookAttempts, 'attempt' | 'setAside'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Something may have changed in the read model. */
  nudge(): void {
    this.isNudged = true;
    this.bell.ring();
  }

  /**
   * Delivers until nothing is due, or the signal says to begin nothing more; then all that was begun has ended. Returns
   * false where nothing was begun, as all that is due had been put off.
   */
  async run(over: AbortSignal): Promise<boolean> {
    const before = this.begun;
    const onOver = () => this.nudge();
    over.addEventListener('abort', onOver);
    try {
      while (!over.aborted && this.clock.now() >= this.restsUntil) {
        this.isNudged = false;
        const { fresh, isLagging } = await this.lookUp();
        if (fresh.length > 0) await this.begin(fresh, over);
        else if (!isLagging && this.underWay === 0) break;
        else await this.change();
      }
    } finally {
      over.removeEventListener('abort', onOver);
      while (this.underWay > 0) await this.bell.next;
    }
    return this.begun > before || this.putOff.size === 0;
  }

  /** Until there may be more to take up: what ends here shows in the read model first. */
  private async change(): Promise<void> {
    while (!this.isNudged && (this.underWay > 0 || this.taken.size > 0)) await this.bell.next;
  }

  /** What is due and has not been taken up; `isLagging` where what has been taken up is still shown as due. */
  private async lookUp(): Promise<{ fresh: DueDelivery[]; isLagging: boolean }> {
    const now = this.clock.now();
    const due = await this.backlog.due(this.endpointId, now, BATCH + this.taken.size + this.putOff.size);
    const shown = new Map(due.map(({ deliveryId, dueAt }) => [deliveryId, dueAt]));
    for (const [id, dueAt] of this.taken) if (shown.get(id) !== dueAt) this.taken.delete(id);
    for (const id of this.putOff.keys()) if (!shown.has(id)) this.putOff.delete(id);
    const isPutOff = (id: WebhookDeliveryId) => now < (this.putOff.get(id)?.until ?? 0);
    const fresh = due.filter(({ deliveryId: id }) => !this.taken.has(id) && !isPutOff(id)).slice(0, BATCH);
    return { fresh, isLagging: this.taken.size > 0 };
  }

  private async begin(due: readonly DueDelivery[], over: AbortSignal): Promise<void> {
    for (let next = 0; next < due.length; ) {
      const room = await this.room();
      if (over.aborted || this.clock.now() < this.restsUntil) return;
      this.take(due.slice(next, next + room));
      next += room;
    }
  }

  private take(due: readonly DueDelivery[]): void {
    for (const { deliveryId, dueAt } of due) this.taken.set(deliveryId, dueAt);
    this.sending += due.length;
    this.underWay += due.length;
    this.begun += due.length;
    const ids = due.map(({ deliveryId }) => deliveryId);
    // By itself, so that one that can not be looked up does not hold up the same others again and again.
    const hasFailed = (id: WebhookDeliveryId) => (this.putOff.get(id)?.failures ?? 0) > 0;
    for (const id of ids.filter(hasFailed)) this.attempt([id]);
    this.attempt(ids.filter((id) => !hasFailed(id)));
  }

  /** What is attempted together is looked up together. */
  private attempt(ids: readonly WebhookDeliveryId[]): void {
    if (ids.length === 0) return;
    const attempts = this.attempts.attempt(this.endpointId, ids, this.clock.now());
    for (const [n, id] of ids.entries()) {
      void this.perform(
        id,
        attempts.then((attempted) => attempted[n] as Promise<Attempted>),
        ids.length === 1,
      );
    }
  }

  /** What ends within some milliseconds is recorded together: it then shares a sync to disk, and nothing waits for it. */
  private together(): Promise<void> {
    this.gathering ??= delay(GATHERING).then(() => {
      this.gathering = undefined;
    });
    return this.gathering;
  }

  /** For how many there is room, once there is some. */
  private async room(): Promise<number> {
    if (this.pace.pause > 0) await delay(this.pace.pause);
    for (;;) {
      const room = Math.min(this.pace.atOnce - this.sending, MOST_OPEN - this.underWay);
      if (room > 0) return room;
      await this.bell.next;
    }
  }

  private async perform(id: WebhookDeliveryId, attempt: Promise<Attempted>, isAlone: boolean): Promise<void> {
    try {
      const attempted = await this.ended(id, attempt);
      if (attempted.kind === 'sent') {
        await this.record(attempted);
      }
      if (attempted.kind === 'not_yet') this.waits(id, { failures: 0, tries: 0, until: attempted.until });
      else this.putOff.delete(id);
    } catch (error) {
      await this.failed(id, error, isAlone);
    } finally {
      this.underWay--;
      this.bell.ring();
    }
  }

  /**
   * At its third failure that is no other's it is set aside (D67); then the read model shows it as due no more. So it is
   * where a key is missing: an operator restores it, and what waits for that does not fill this process's memory.
   */
  private async failed(id: WebhookDeliveryId, error: unknown, isAlone: boolean): Promise<void> {
    const before = this.putOff.get(id);
    const failures = (before?.failures ?? 0) + 1;
    const tries = (before?.tries ?? 0) + Number(isAlone && !isInfrastructureFailure(error));
    const wait = Math.min(RETRY_FIRST * 2 ** Math.min(failures - 1, 20), RETRY_MOST);
    this.waits(id, { failures, tries, until: this.clock.now() + wait });
    if (tries < MAX_TRIES) {
      this.logger.warn({ err: error, deliveryId: id, failures }, 'a webhook delivery failed; postponed');
      return;
    }
    this.logger.error({ err: error, deliveryId: id, failures }, 'a webhook delivery failed again; set aside');
    await this.attempts.setAside(id, error).catch((cause: unknown) => {
      this.logger.warn({ err: cause, deliveryId: id }, 'a webhook delivery could not be set aside; tried again');
    });
  }

  /** A failure after the successes that were answered before it: the log says which came last (D82). */
  private async record({ outcome, record }: Extract<Attempted, { kind: 'sent' }>): Promise<void> {
    if (outcome.kind !== 'delivered') {
      await this.together();
      await Promise.allSettled(this.successes);
      return record();
    }
    const recorded = this.together().then(record);
    this.successes.add(recorded);
    try {
      await recorded;
    } finally {
      this.successes.delete(recorded);
    }
  }

  private waits(id: WebhookDeliveryId, putOff: PutOff): void {
    this.putOff.set(id, putOff);
    this.taken.delete(id);
  }

  /** The endpoint is free for the next as soon as it has answered: recording that is no matter of its own. */
  private async ended(id: WebhookDeliveryId, attempt: Promise<Attempted>): Promise<Attempted> {
    try {
      const attempted = await attempt;
      if (attempted.kind === 'sent') this.pace = paceAfter(this.pace, attempted.outcome);
      if (attempted.kind === 'held_back') {
        this.restsUntil = attempted.until;
        this.taken.delete(id);
      }
      return attempted;
    } finally {
      this.sending--;
      this.handOn();
    }
  }

  /** What the answers of one turn of the event loop make room for begins together: it shares what it reads. */
  private handOn(): void {
    this.handingOn ??= setImmediate(() => {
      this.handingOn = undefined;
      this.bell.ring();
    });
  }
}
