import type { Instant } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import type { Database } from './database.js';

export const addToCounter = async (
  counters: Database['counters'],
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

export const sweepExpired = async (counters: Database['counters'], now: Instant): Promise<number> =>
  (await counters.deleteMany({ expiresAt: { $lt: now } })).deletedCount;
