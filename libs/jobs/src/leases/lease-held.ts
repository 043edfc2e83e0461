import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '#kernel';

export class LeaseHeld extends DomainError {
  constructor(readonly lease: string) {
    super('provider_unavailable', { cause: new Error(`another task holds the lease ${lease}`) });
  }
}

const withoutLeaseWaits = new AsyncLocalStorage<true>();

/** Runs a task that uses shared capacity: it does not wait for a lease, and fails with `LeaseHeld` instead (D89). */
export const withoutWaiting = <T>(task: () => Promise<T>): Promise<T> => withoutLeaseWaits.run(true, task);

export const mayWait = (): boolean => withoutLeaseWaits.getStore() === undefined;
