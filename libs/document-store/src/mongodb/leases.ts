import type { Instant, Lease } from '#kernel';
import { isDuplicateKey } from '#mongodb-connection';
import type { Database, StoredLease } from './database.js';

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
