import type { Call } from '../operation.js';

const DEFAULT_LIMIT = 100;

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Takes one record more than the limit, so that a full last page says that it is the last. */
export function page<R, T>(
  records: Iterable<R>,
  call: Call,
  show: (record: R) => T,
  cursor: (record: R) => string,
): Page<T> {
  const limit = Number(call.query.limit ?? DEFAULT_LIMIT);
  const data: T[] = [];
  let last: R | undefined;
  for (const record of records) {
    if (data.length === limit && last !== undefined) return { data, next_cursor: cursor(last) };
    data.push(show(record));
    last = record;
  }
  return { data, next_cursor: null };
}

export function afterOf(call: Call): string | undefined {
  return call.query.after === undefined ? undefined : String(call.query.after);
}
