import type { Instant } from '#kernel';
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
