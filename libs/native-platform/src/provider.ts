import { setTimeout as delay } from 'node:timers/promises';
import {
  DomainError,
  type Duration,
  type Effect,
  type ErrorCode,
  type RefusedRecord,
  type RetryDelays,
  retryDelay,
  SECOND,
} from '#kernel';
import type { Answer, Call } from './call.js';
import { type Change, expectStatus, isAbsence, parsed, type Read, refusalOf, usable } from './classify-response.js';
import { HttpService, type ServiceAddress } from './http-service.js';
import { ProviderError, type ProviderErrorCode } from './provider-error.js';

export type CallOutcome = 'done' | 'absent' | 'refused' | ProviderErrorCode;

/** A call for metrics and logs, without personal data. `operation` is the contract's operationId. */
export interface CallReport {
  readonly operation: string;
  readonly outcome: CallOutcome;
  /** Includes the repeats of a read and the waits between them. */
  readonly durationMs: number;
}

/** Records of one page that were left out (D65). */
export interface RefusedReport {
  readonly kind: 'creator' | 'leak' | 'impersonation' | 'activity' | 'payment_method';
  readonly records: readonly RefusedRecord[];
}

export interface ProviderOptions {
  /** The time limit of a whole call: connecting, the answer to its last byte, and the repeats of a read. */
  readonly timeout: Duration;
  /** The rate of large answers to one agency; 1 MiB by default. */
  readonly largeBytesPerSecond?: number;
  /** Must not throw. */
  readonly onCall?: (report: CallReport) => void;
  /** Must not throw. */
  readonly onRefused?: (report: RefusedReport) => void;
}

const REPEATS = 2;
const DELAYS: RetryDelays = { first: 50, longest: SECOND };

/** Reads and changes at one service, with the outcomes of the README's table. */
export class Provider {
  private readonly http: HttpService | undefined;

  /** Without an address every call rejects with the code `withoutAddress` (D19). */
  constructor(
    address: ServiceAddress | undefined,
    private readonly withoutAddress: ErrorCode,
    private readonly options: ProviderOptions,
  ) {
    this.http = address && new HttpService(address, options.timeout, options.largeBytesPerSecond);
  }

  get configured(): boolean {
    return this.http !== undefined;
  }

  read<Value>(read: Read<Value>): Promise<Value> {
    return this.reported(read.operation, async (deadline) => [
      'done',
      this.valueOf(read, await this.ask(read, deadline)),
    ]);
  }

  /** Reads a record that may not exist: undefined for 404 `not_found`. */
  find<Value>(read: Read<Value>): Promise<Value | undefined> {
    return this.reported<Value | undefined>(read.operation, async (deadline) => {
      const answer = await this.ask(read, deadline);
      return isAbsence(read, answer) ? ['absent', undefined] : ['done', this.valueOf(read, answer)];
    });
  }

  reportRefused(kind: RefusedReport['kind'], records: readonly RefusedRecord[] = []): void {
    if (records.length > 0) this.options.onRefused?.({ kind, records });
  }

  /** Sends the change once. A provider's error is an outcome; the promise does not reject. */
  change<Value>(change: Change & Pick<Read<Value>, 'parse'>): Promise<Effect<Value>> {
    return this.settle(change, (answer) => parsed(change.operation, answer, change.parse));
  }

  send(change: Change): Promise<Effect<void>> {
    return this.settle(change, () => undefined);
  }

  async close(): Promise<void> {
    await this.http?.close();
  }

  /** Aborts calls in flight, with the error of a broken connection; later ones are `provider_unavailable`. */
  async abortInFlight(): Promise<void> {
    await this.http?.abortInFlight();
  }

  private settle<Value>(change: Change, read: (answer: Answer) => Value): Promise<Effect<Value>> {
    return this.reported<Effect<Value>>(change.operation, async (deadline) => {
      try {
        const answer = usable(change, await this.exchange(change, deadline));
        const refusal = refusalOf(change, answer);
        if (refusal !== undefined) return ['refused', { outcome: 'refused', ...refusal }];
        expectStatus(change.operation, answer, change.done);
        return ['done', { outcome: 'done', value: read(answer) }];
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        return [error.code, { outcome: 'unknown', error }];
      }
    });
  }

  private valueOf<Value>({ operation, parse }: Read<Value>, answer: Answer): Value {
    expectStatus(operation, answer, [200]);
    return parsed(operation, answer, parse);
  }

  /** Repeats after a transient fault, until the deadline. */
  private async ask(read: Read<unknown>, deadline: Deadline): Promise<Answer> {
    const call: Call & Pick<Read<unknown>, 'lacking'> = { ...read, method: 'GET' };
    for (let attempt = 0; ; attempt++) {
      try {
        return usable(call, await this.exchange(call, deadline));
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== 'provider_unavailable') throw error;
        const backoff = retryDelay(attempt, DELAYS) * (0.5 + Math.random());
        const wait = Math.max(backoff, (error.retryAfterSeconds ?? 0) * SECOND);
        if (attempt === REPEATS || elapsed(deadline) + wait >= this.options.timeout) throw error;
        await delay(wait);
      }
    }
  }

  private exchange(call: Call, { signal }: Deadline): Promise<Answer> {
    if (this.http === undefined) throw new DomainError(this.withoutAddress);
    return this.http.exchange(call, signal);
  }

  private async reported<Value>(
    operation: string,
    work: (deadline: Deadline) => Promise<readonly [CallOutcome, Value]>,
  ): Promise<Value> {
    const deadline: Deadline = { began: performance.now(), signal: AbortSignal.timeout(this.options.timeout) };
    const report = (outcome: CallOutcome) =>
      this.options.onCall?.({ operation, outcome, durationMs: elapsed(deadline) });
    try {
      const [outcome, value] = await work(deadline);
      report(outcome);
      return value;
    } catch (error) {
      if (error instanceof ProviderError) report(error.code);
      throw error;
    }
  }
}

interface Deadline {
  readonly began: number;
  readonly signal: AbortSignal;
}

const elapsed = ({ began }: Deadline): number => performance.now() - began;
