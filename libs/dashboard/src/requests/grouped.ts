import type { Instant } from '#kernel';
import type { CallsAt } from './call-counts.js';
import type { RefusedRequest } from './refused-request.js';

export interface RefusedGroup extends Pick<RefusedRequest, 'code' | 'route'> {
  readonly count: number;
  readonly lastAt: Instant;
}

/** By code and route, the most frequent first. */
export const refusedGroups = (requests: readonly RefusedRequest[]): RefusedGroup[] => {
  const groups = new Map<string, RefusedGroup>();
  for (const { code, route, at } of requests) {
    const { count, lastAt } = groups.get(`${code} ${route}`) ?? { count: 0, lastAt: at };
    groups.set(`${code} ${route}`, { code, route, count: count + 1, lastAt: Math.max(lastAt, at) });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count || other.lastAt - one.lastAt);
};

/** The calls of all keys together, the oldest first. */
export const callsByTime = (calls: readonly CallsAt[]): { readonly at: Instant; readonly calls: number }[] =>
  [...sums(calls, ({ at }) => at)].map(([at, sum]) => ({ at, calls: sum })).sort((one, other) => one.at - other.at);

/** The calls of each key, the most frequent first. */
export const callsByKey = (calls: readonly CallsAt[]): { readonly keyId: string; readonly calls: number }[] =>
  [...sums(calls, ({ keyId }) => keyId)]
    .map(([keyId, sum]) => ({ keyId, calls: sum }))
    .sort((one, other) => other.calls - one.calls);

const sums = <Part>(calls: readonly CallsAt[], partOf: (call: CallsAt) => Part): Map<Part, number> => {
  const found = new Map<Part, number>();
  for (const call of calls) found.set(partOf(call), (found.get(partOf(call)) ?? 0) + call.calls);
  return found;
};
