import { AsyncLocalStorage } from 'node:async_hooks';
import { StoreUnavailable } from './event-log.js';

/** This process may have been replaced as the leader. The same work may succeed later, here or in another process. */
export class NotLeading extends StoreUnavailable {
  constructor() {
    super('this process cannot be sure that it still leads');
    this.name = 'NotLeading';
  }
}

const checks = new AsyncLocalStorage<() => void>();

/** Runs work of the leader: everything that it hands to a client from then on is checked first. */
export const asLeader = <T>(check: () => void, work: () => T): T => checks.run(check, work);

/** Is called before a write, an append or an outside call is handed to a client, also for a repeat. Requests pass. */
export const assertLeading = (): void => checks.getStore()?.();
