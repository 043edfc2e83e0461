import { AsyncLocalStorage } from 'node:async_hooks';
import type { Leases } from '#jobs';
import { askAgain, type CreatorId, MINUTE } from '#kernel';

export const creatorLease = (creatorId: CreatorId): string => `creator:${creatorId}`;

const held = new AsyncLocalStorage<ReadonlySet<CreatorId>>();

/** A task that already runs under it does not wait for itself. */
export const withCreatorLease = <T>(leases: Leases, creatorId: CreatorId, task: () => Promise<T>): Promise<T> => {
  const ours = held.getStore();
  if (ours?.has(creatorId)) return task();
  const both = new Set([...(ours ?? []), creatorId]);
  return leases.exclusively(creatorLease(creatorId), MINUTE, () => {
    // The last holder may have written.
    askAgain();
    return held.run(both, task);
  });
};
