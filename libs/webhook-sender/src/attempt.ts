import type { Dispatcher } from 'undici';
import type { Clock, Duration } from '#kernel';
import type { SendOutcome } from '#webhooks';
import type { ConnectionAware, KeptSocket } from './kept-connection.js';
import { parseRetryAfter } from './retry-after.js';
import { failureOf, SendFailure } from './send-failure.js';

export const MAX_RESPONSE_BYTES = 64 * 1024;
/** Interim answers (1xx). */
const MAX_INTERIM = 16;

/** It reports when the connection is free, at the latest when the time is over. */
export class Attempt implements Dispatcher.DispatchHandler, ConnectionAware {
  readonly outcome: Promise<SendOutcome>;
  kept: KeptSocket | undefined;
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
    const wasClosed = this.kept?.isClosedUnanswered === true;
    this.kept = undefined;
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
    if (status < 300) return { kind: 'delivered', status };
    const retryAfter = parseRetryAfter(header, this.clock.now());
    return { kind: 'refused', status, ...(retryAfter !== undefined && { retryAfter }) };
  }
}
