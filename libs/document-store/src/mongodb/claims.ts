import { type Checkpoint, Fenced, type Instant, type Lease } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import type { Database, StoredLease } from './database.js';

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

export const takeLease = async (
  leases: Database['leases'],
  name: string,
  holder: string,
  now: Instant,
  until: Instant,
): Promise<Lease | undefined> => {
  const renewed = await leases.findOneAndUpdate(
    { _id: name, holder },
    { $set: { until } },
    { returnDocument: 'after' },
  );
  if (renewed !== null) return asLease(renewed);
  try {
    const free = { _id: name, holder: { $ne: holder }, $or: [{ holder: null }, { until: { $lte: now } }] };
    const change = { $set: { holder, until }, $inc: { fence: 1 } };
    return asLease(await leases.findOneAndUpdate(free, change, { upsert: true, returnDocument: 'after' }));
  } catch (error) {
    // It exists and is not free, so the filter does not match and the upsert is refused.
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
};

export const giveBackLease = async (leases: Database['leases'], name: string, holder: string): Promise<void> => {
  await leases.updateOne({ _id: name, holder }, { $set: { holder: null } });
};

export const heldLease = async (leases: Database['leases'], name: string): Promise<Lease | undefined> =>
  asLease(await leases.findOne({ _id: name }));

const asLease = (lease: StoredLease | null): Lease | undefined =>
  lease === null || lease.holder === null
    ? undefined
    : { name: lease._id, holder: lease.holder, fence: lease.fence, until: lease.until };

export class Checkpoints {
  constructor(private readonly stored: Database['checkpoints']) {}

  async read(name: string): Promise<Checkpoint | undefined> {
    const stored = await this.stored.findOne({ _id: name });
    if (stored?.position === undefined) return undefined;
    const { position, fence, event } = stored;
    return { name, position, fence, ...(event && { event }) };
  }

  async admit({ name, fence }: Checkpoint): Promise<void> {
    const stored = await this.stored.findOne({ _id: name });
    if (stored !== null && stored.fence > fence) throw new Fenced(name);
  }

  async move(checkpoint: Checkpoint): Promise<void> {
    const { name, position, fence, event = null } = checkpoint;
    const movable = { _id: name, fence: { $not: { $gt: fence } } };
    // Earlier versions noted writes in the checkpoint without moving it, so those writes are repeated. Their number
    // stays: such a version continues counting from it, even after this one ran.
    const change = { $set: { position, fence, event }, $unset: { pending: 1 } } as const;
    for (;;) {
      try {
        await this.stored.updateOne(movable, change, { upsert: true });
        return;
      } catch (error) {
        // A newer runner has moved it, so the upsert is refused; or another process has made it at the same moment.
        if (!isDuplicateKey(error)) throw error;
      }
      await this.admit(checkpoint);
    }
  }
}
