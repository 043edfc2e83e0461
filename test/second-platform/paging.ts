import { Breach } from './strict-request.js';

/** In records. Short pages for any limit: the contract gives the most a page may hold, and nothing it must. */
export const MAX_PAGE_SIZE = 2;

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

export function pageOf<T>(all: T[], id: (entry: T) => string, after: string | undefined, limit = '100'): Page<T> {
  const start = after === undefined ? 0 : all.filter((entry) => id(entry) <= after).length;
  const data = all.slice(start, start + Math.min(Number(limit), MAX_PAGE_SIZE));
  const last = data.at(-1);
  return { data, next_cursor: last && start + data.length < all.length ? id(last) : null };
}

/** Cursors that look like nothing, with characters that a query must escape. */
export const opaque = (position: string): string => `+&=${Buffer.from(position).toString('base64')} §`;

export function position(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const inside = /^\+&=(.*) §$/.exec(cursor)?.[1];
  if (inside === undefined) throw new Breach(400, `"${cursor}" is no cursor of mine`);
  return Buffer.from(inside, 'base64').toString();
}

export const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
