const MAX_CALLS = 200_000;
/** Dropping items from the front of an array takes time proportional to its length, so it is done rarely. */
const SLACK = 10_000;

export interface LoggedCall {
  seq: number;
  operation: string;
  method: string;
  path: string;
  idempotency_key: string | null;
  reference: string | null;
  body_hash: string | null;
  started_at: number;
  finished_at: number | null;
  /** Null while it is in flight. */
  status: number | 'closed' | null;
  effect: 'done' | 'repeated' | 'none';
  /** The code of the refusal, even if the caller has hung up by then. */
  refusal: string | null;
  /** Calls with this key in flight when it arrived, itself included; 0 without a key. */
  same_key_in_flight: number;
}

type Arrival = Pick<LoggedCall, 'operation' | 'method' | 'path' | 'idempotency_key'>;

export interface CallFilter {
  operation?: string | undefined;
  reference?: string | undefined;
  since?: number | undefined;
}

/** Every contract call that was received, including refused ones. In memory. */
export class CallLog {
  #calls: LoggedCall[] = [];
  #lastSeq = 0;
  readonly #inFlight = new Map<string, number>();

  constructor(private readonly now: () => number) {}

  start(arrival: Arrival): LoggedCall {
    this.#lastSeq += 1;
    const call: LoggedCall = {
      seq: this.#lastSeq,
      ...arrival,
      reference: null,
      body_hash: null,
      started_at: this.now(),
      finished_at: null,
      status: null,
      effect: 'none',
      refusal: null,
      same_key_in_flight: this.#count(arrival.idempotency_key, 1),
    };
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS + SLACK) this.#calls.splice(0, this.#calls.length - MAX_CALLS);
    return call;
  }

  /** The first outcome is kept: a call whose caller hung up stays `closed`, although the work continued. */
  finish(call: LoggedCall, status: number | 'closed'): void {
    if (call.status !== null) return;
    call.status = status;
    call.finished_at = this.now();
    this.#count(call.idempotency_key, -1);
  }

  find({ operation, reference, since }: CallFilter): LoggedCall[] {
    return this.#calls
      .slice(-MAX_CALLS)
      .filter(
        (call) =>
          (operation === undefined || call.operation === operation) &&
          (reference === undefined || call.reference === reference || call.idempotency_key === reference) &&
          (since === undefined || call.started_at >= since),
      );
  }

  clear(): void {
    this.#calls = [];
  }

  #count(key: string | null, change: 1 | -1): number {
    if (key === null) return 0;
    const count = (this.#inFlight.get(key) ?? 0) + change;
    if (count > 0) this.#inFlight.set(key, count);
    else this.#inFlight.delete(key);
    return count;
  }
}
