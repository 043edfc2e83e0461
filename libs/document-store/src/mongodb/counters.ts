import type { Collection } from 'mongodb';
import type { Instant } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';

export interface StoredCounter {
  readonly _id: string;
  readonly value: number;
  readonly expiresAt: Instant;
}

export type Counters = Collection<StoredCounter>;

export const addToCounter = async (
  counters: Counters,
  counter: string,
  by: number,
  expiresAt: Instant,
): Promise<number> => {
  for (;;) {
    try {
      const change = { $inc: { value: by }, $max: { expiresAt } };
      const options = { upsert: true, returnDocument: 'after' } as const;
      const counted = await counters.findOneAndUpdate({ _id: counter }, change, options);
      return counted?.value ?? Number.NaN;
    } catch (error) {
      // Another process created the counter concurrently, and nothing was added.
      if (!isDuplicateKey(error)) throw error;
    }
  }
};

export const sweepExpired = async (counters: Counters, now: Instant): Promise<number> =>
  (await counters.deleteMany({ expiresAt: { $lt: now } })).deletedCount;
