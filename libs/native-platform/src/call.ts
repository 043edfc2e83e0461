/** One HTTP call as the contract describes it. */
export interface Call {
  /** The contract's operationId. Metrics and logs contain nothing else about a call. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** The platform keeps the highest one for each slot, and applies no call with a lower one. */
  readonly fence?: number;
  /** A longer answer is not read to its end: `AnswerTooLong`. */
  readonly maxBytes?: number | undefined;
  /** How often each byte of a large answer counts against the rate of the agency; 1 by default. */
  readonly weight?: number;
}

/** The path with query below the base URL, or undefined if a segment cannot be part of a URL. */
export const addressOf = ({ path, query = {} }: Call): string | undefined => {
  if (!path.every(isAddressable)) return undefined;
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return `/${path.map(encodeURIComponent).join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
};

/** The server would resolve dot segments, encoded or not, to another resource. */
const isAddressable = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed();

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Uint8Array;
}

/** The answer to a call whose record id cannot be part of a URL: there is no such record. */
export const NO_SUCH_RECORD: Answer = {
  status: 404,
  retryAfter: undefined,
  body: Buffer.from(JSON.stringify({ error: { code: 'not_found', message: 'not addressable' } })),
};
