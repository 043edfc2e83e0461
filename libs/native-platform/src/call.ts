/** One HTTP call as the contract describes it. */
export interface Call {
  /** The contract's operationId; metrics and logs name a call by it alone. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments below the base URL, not yet encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** A longer answer is not read to its end: `AnswerTooLong`. */
  readonly maxBytes?: number | undefined;
}

/** The path with query below the base URL, or undefined where a segment cannot be written as one. */
export const addressOf = ({ path, query = {} }: Call): string | undefined => {
  if (!path.every(isAddressable)) return undefined;
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`);
  return `/${path.map(encodeURIComponent).join('/')}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
};

/** Dot segments are resolved away on the other side, encoded or not, and would name another resource. */
const isAddressable = (segment: string): boolean =>
  segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed();
