import { isDeepStrictEqual } from 'node:util';
import { type Answer, Refusal } from './answer.js';
import type { Operation } from './contract.js';

export interface RecordedCall {
  operation: string;
  path: string;
  key: string | undefined;
  status: number | 'cut';
}

export class RecordOfCalls {
  readonly calls: RecordedCall[] = [];
  /** Requests that the contract does not allow. */
  readonly breaches: string[] = [];
  /** Answers of this platform that the contract does not allow. */
  readonly slips: string[] = [];

  of(operation: string): RecordedCall[] {
    return this.calls.filter((call) => call.operation === operation);
  }

  /** Keys that were sent again although the answer had said that all is done. */
  sentTwice(): string[] {
    const done = this.calls.filter(({ status }) => status !== 'cut' && status < 300);
    const keys = done.flatMap(({ operation, key }) => (key === undefined ? [] : [`${operation} ${key}`]));
    return keys.filter((key, at) => keys.indexOf(key) !== at);
  }

  check(operation: Operation, { status, body }: Answer): void {
    const listed = operation.answers.has(String(status));
    const check = operation.answers.get(listed ? String(status) : 'default');
    const allowed = (listed || status >= 400) && (check ? check(body) : body === undefined);
    if (!allowed) this.slips.push(`${operation.id} answers ${status}: ${JSON.stringify(check?.errors ?? body)}`);
  }
}

/** Passing faults, each for the next call of its operation. */
export type Fault =
  /** Refused before anything happened. */
  | { status: 429 | 500 | 502 | 503 | 504 }
  /** Done, and the connection broken before the answer. */
  | 'cut after the effect';

export class Faults {
  private readonly planned = new Map<string, Fault[]>();

  next(operation: string, ...faults: Fault[]): void {
    this.planned.set(operation, [...(this.planned.get(operation) ?? []), ...faults]);
  }

  take(operation: string): Fault | undefined {
    return this.planned.get(operation)?.shift();
  }
}

/**
 * Results of 2xx by Idempotency-Key, for good. The contract gives a key no scope, so it has none but the service: a key
 * that stood for an invitation cannot stand for its resend.
 */
export class Remembered {
  private readonly results = new Map<string, { request: unknown; answer: Answer }>();

  once(key: string, request: unknown, effect: () => Answer): Answer {
    const earlier = this.results.get(key);
    if (earlier && !isDeepStrictEqual(earlier.request, request)) throw new Refusal(409, 'idempotency_conflict');
    if (earlier) return earlier.answer;
    const answer = structuredClone(effect());
    this.results.set(key, { request, answer });
    return answer;
  }
}
