import type { Answer } from './answer.js';
import type { Operation } from './contract.js';

/** What was asked, what of it the contract does not allow, and where an answer of ours was not to the letter. */
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
