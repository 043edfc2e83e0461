import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '#kernel';

export class LeaseHeld extends DomainError {
  constructor(readonly lease: string) {
    super('provider_unavailable', { cause: new Error(`another task holds the lease ${lease}`) });
  }
}

const failingFast = new AsyncLocalStorage<true>();

/** Runs a task that uses shared capacity: it does not wait for a lease, and fails with `LeaseHeld` instead (D89). */
export const failFastIfLeased = <T>(task: () => Promise<T>): Promise<T> => failingFast.run(true, task);

export const failsFast = (): boolean => failingFast.getStore() === true;
