import { UnknownCollection } from './document-store.js';
import { StoreUnavailable } from './event-log.js';
import { type Duration, SECOND } from './instant.js';

const LONG: Duration = SECOND;

/**
 * Runs tasks of one key one after another, in the order of their arrival; those of different keys side by side. Who has
 * waited long behind one for which a store could not be reached is told so too: each would wait for the store anew.
 */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  constructor(private readonly long = LONG) {}

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key);
    const result = before === undefined ? task() : this.after(before, task);
    this.tails.set(key, result);
    const forget = () => {
      if (this.tails.get(key) === result) this.tails.delete(key);
    };
    result.then(forget, forget);
    return result;
  }

  private after<T>(before: Promise<unknown>, task: () => Promise<T>): Promise<T> {
    const since = performance.now();
    return before.then(task, (error: unknown) => {
      if (isOutage(error) && performance.now() - since > this.long) throw error;
      return task();
    });
  }
}

/**
 * Also what a store said no to: who waited is told to try again, and nothing of theirs was begun. A collection that is no
 * more is the matter of who asked for it.
 */
const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailable && !(error instanceof UnknownCollection);
