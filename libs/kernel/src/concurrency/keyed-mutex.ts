import { type Duration, SECOND } from '../instant.js';
import { UnknownCollection } from '../stores/document-store.js';
import { StoreUnavailable } from '../stores/event-log.js';

const OUTAGE_WAIT: Duration = SECOND;

/**
 * Runs tasks of one key one after another, in the order of their arrival. If a task fails because a store cannot be reached,
 * a task that has waited long for it fails too, because otherwise each task in the queue would wait for the store again.
 */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  constructor(private readonly long = OUTAGE_WAIT) {}

  isBusy(key: string): boolean {
    return this.tails.has(key);
  }

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

/** A missing collection concerns only the task that asked for it. */
const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailable && !(error instanceof UnknownCollection);
