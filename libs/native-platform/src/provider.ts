import { type Duration, type Effect, type RefusedRecord, type RetryDelays, retryDelay, SECOND } from '#kernel';
import type { Answer } from './answer.js';
import type { Call } from './call.js';
import { type Change, expectStatus, isAbsence, parsed, type Read, refusalOf, usable } from './classify-response.js';
import { Deadline } from './deadline.js';
import { HttpService, type ServiceAddress } from './http-service.js';
import { ProviderError, type ProviderErrorCode } from './provider-error.js';

export type CallOutcome = 'done' | 'absent' | 'refused' | ProviderErrorCode;

/** A call in metrics and logs, without personal data. `operation` is the contract's operationId. */
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
  /** Of the large answers to one agency; 1 MiB by default. */
  readonly largeBytesPerSecond?: number;
  /** Must not throw. */
  readonly onCall?: (report: CallReport) => void;
  /** Must not throw. */
  readonly onRefused?: (report: RefusedReport) => void;
}

const REPEATS = 2;
const DELAYS: RetryDelays = { first: 50, longest: SECOND };

/** The public members of `Provider`, which `unconfigured` has too. */
export type ServiceCalls = Pick<Provider, keyof Provider>;

/** Reads and changes at one service, with the outcomes of the README's table. */
export class Provider {
  readonly configured: boolean = true;
  private readonly http: HttpService;

  constructor(
    address: ServiceAddress,
    private readonly options: ProviderOptions,
  ) {
    this.http = new HttpService(address, options.timeout, options.largeBytesPerSecond);
  }

  /** Reads a record that must exist. */
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

  /** The same for a change whose answer has no content. */
  send(change: Change): Promise<Effect<void>> {
    return this.settle(change, () => undefined);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  /** Aborts calls in flight, with the error of a broken connection; later ones are `provider_unavailable`. */
  abortInFlight(): Promise<void> {
    return this.http.abortInFlight();
  }

  private settle<Value>(change: Change, read: (answer: Answer) => Value): Promise<Effect<Value>> {
    return this.reported<Effect<Value>>(change.operation, async (deadline) => {
      try {
        const answer = usable(change, await this.http.exchange(change, deadline.signal));
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
        return usable(call, await this.http.exchange(call, deadline.signal));
      } catch (error) {
        if (!(error instanceof ProviderError) || error.code !== 'provider_unavailable') throw error;
        const backoff = retryDelay(attempt, DELAYS) * (0.5 + Math.random());
        const wait = Math.max(backoff, (error.retryAfterSeconds ?? 0) * SECOND);
        if (attempt === REPEATS || !(await deadline.pause(wait))) throw error;
      }
    }
  }

  private async reported<Value>(
    operation: string,
    work: (deadline: Deadline) => Promise<readonly [CallOutcome, Value]>,
  ): Promise<Value> {
    const deadline = new Deadline(this.options.timeout);
    const report = (outcome: CallOutcome) =>
      this.options.onCall?.({ operation, outcome, durationMs: deadline.elapsed });
    try {
      const [outcome, value] = await work(deadline);
      report(outcome);
      return value;
    } catch (error) {
      if (error instanceof ProviderError) report(error.code);
      throw error;
    } finally {
      deadline.cancel();
    }
  }
}
