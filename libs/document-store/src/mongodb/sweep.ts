import { ObjectId } from 'mongodb';
import { type Duration, MINUTE } from '#kernel';
import type { Database } from './database.js';

/** Drops unlisted collections, which a crash or a late write left. */
export const sweep = async (database: Database, unlistedFor: Duration = 60 * MINUTE): Promise<void> => {
  const unlistedSince = new Date(Date.now() - unlistedFor);
  // The catalogue is read second: a collection that MongoDB had before and that is not in it is dropped or incomplete.
  const names = (await database.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const entries = await database.collections.find().toArray();
  const listed = new Set(entries.map(({ collection }) => collection));
  for (const name of names) {
    const made = madeAt(name);
    if (made !== undefined && made < unlistedSince && !listed.has(name)) await database.documents(name).drop();
  }
};

/** When a collection of documents was created, from the ObjectId in its name. */
const madeAt = (collection: string): Date | undefined => {
  const id = /^[a-z][a-z0-9_]*\.([0-9a-f]{24})$/i.exec(collection)?.[1];
  return id === undefined ? undefined : new ObjectId(id).getTimestamp();
};
