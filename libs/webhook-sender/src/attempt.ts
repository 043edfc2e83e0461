import type { Dispatcher } from 'undici';
import { type Clock, type Duration, type Instant, SECOND } from '#kernel';
import type { SendOutcome } from '#webhooks';
import { failureOf, SendFailure } from './send-failure.js';

/** The wait that a `Retry-After` requests, in seconds or until an HTTP date (RFC 9110, 10.2.3), or undefined. */
export const parseRetryAfter = (header: unknown, now: Instant): Duration | undefined => {
  if (typeof header !== 'string') return undefined;
  if (/^\d{1,10}$/.test(header)) return Number(header) * SECOND;
  const until = Date.parse(header);
  // `Date.parse` accepts other forms too, and reads a day that does not exist as another one.
  if (Number.isNaN(until) || new Date(until).toUTCString().slice(5) !== header.slice(5)) return undefined;
  return Math.max(0, until - now);
};

export const MAX_RESPONSE_BYTES = 64 * 1024;
/** Interim answers (1xx). */
const MAX_INTERIM = 16;

/** It reports when the connection is free, at the latest when the time is over. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<SendOutcome>;
  /** Whether a kept connection ended before a byte of the answer; undefined if the request goes over a new one. */
  isClosedUnanswered: (() => boolean) | undefined;
  private readonly settled = Promise.withResolvers<SendOutcome>();
  private controller: Dispatcher.DispatchController | undefined;
  private readonly timer: NodeJS.Timeout;
  private isGivenUp = false;
  private interim = 0;
  private received = 0;

  constructor(
    private readonly clock: Clock,
    timeout: Duration,
    private readonly onOver: () => void,
    /** Sends the same request on a new connection. */
    private readonly repeat: () => void,
  ) {
    this.outcome = this.settled.promise;
    this.timer = setTimeout(() => this.giveUp(new SendFailure('timeout')), timeout);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The time was over before the connection existed.
    if (this.isGivenUp) controller.abort(new SendFailure('timeout'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, unknown>>,
  ): void {
    if (status < 200) {
      if (++this.interim > MAX_INTERIM) this.giveUp(new SendFailure('response_invalid'));
      return;
    }
    // A body is only read so that the connection can be used again, in the rest of the time.
    this.settled.resolve(this.judged(status, headers['retry-after']));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_RESPONSE_BYTES) this.giveUp(new SendFailure('response_invalid'));
  }

  onResponseEnd(): void {
    this.over();
  }

  /**
   * D60: the receiver closed a kept connection while the request was sent on it, as each server does when its idle time
   * ends. That says nothing about the receiver, so the request is sent once more.
   */
  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const wasClosed = this.isClosedUnanswered?.() === true;
    this.isClosedUnanswered = undefined;
    if (wasClosed && !this.isGivenUp) {
      this.repeat();
      return;
    }
    this.fail(error);
    this.over();
  }

  /** Reports the outcome if there is none yet, and closes the connection. */
  private giveUp(failure: SendFailure): void {
    this.isGivenUp = true;
    this.fail(failure);
    this.controller?.abort(failure);
  }

  private fail(error: Error): void {
    try {
      this.settled.resolve(failureOf(error));
    } catch (unexpected) {
      this.settled.reject(unexpected);
    }
  }

  private over(): void {
    clearTimeout(this.timer);
    this.onOver();
  }

  private judged(status: number, header: unknown): SendOutcome {
    if (status < 300) return { status, error: null };
    const retryAfter = parseRetryAfter(header, this.clock.now());
    return { status, error: 'refused', ...(retryAfter !== undefined && { retryAfter }) };
  }
}
