import { ObjectId } from 'mongodb';
import type { Duration } from '#kernel';
import type { Database } from './database.js';

/** Longer than any write can be under way, in milliseconds: so long it must be known that a document was removed. */
const REMEMBERED = 60 * 60 * 1_000;

/** Forgets what was removed long ago, and collections that are in no catalogue: a crash or a late write left them. */
export const sweep = async (database: Database, unlistedFor: Duration = REMEMBERED): Promise<void> => {
  const before = new Date(Date.now() - REMEMBERED);
  const unlistedSince = new Date(Date.now() - unlistedFor);
  // In this order: what is listed by then and not in the catalogue was either dropped or is not complete.
  const names = (await database.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const entries = await database.collections.find().toArray();
  const listed = new Set(entries.map(({ collection }) => collection));
  for (const collection of listed)
    await database.documents(collection).deleteMany({ '_meta.removedAt': { $lt: before } });
  for (const name of names) {
    const made = madeAt(name);
    if (made !== undefined && made < unlistedSince && !listed.has(name)) await database.documents(name).drop();
  }
};

/** When a collection of documents was made, by the ObjectId in its name. */
const madeAt = (collection: string): Date | undefined => {
  const id = /^[a-z][a-z0-9_]*\.([0-9a-f]{24})$/i.exec(collection)?.[1];
  return id === undefined ? undefined : new ObjectId(id).getTimestamp();
};
