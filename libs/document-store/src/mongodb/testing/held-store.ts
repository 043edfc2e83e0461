import { type Collection, type Document, MongoClient } from 'mongodb';
import type { DocumentStore } from '#kernel';
import { repeatingFor } from '#mongodb-connection';
import { databaseOf } from '../database.js';
import { MongoDbDocumentStore } from '../mongodb-document-store.js';

const WRITES = new Set(['bulkWrite', 'insertMany', 'insertOne', 'replaceOne', 'updateOne', 'findOneAndUpdate']);

/** A store in which each command that writes waits first for what `before` returns: its process may be slow, or asleep. */
export const heldStore = (url: string, before: (collection: string) => Promise<unknown> | undefined): DocumentStore => {
  const client = new MongoClient(url, { writeConcern: { w: 'majority' }, readConcern: { level: 'majority' } });
  const held = <D extends Document>(collection: Collection<D>): Collection<D> =>
    new Proxy(collection, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        if (typeof member === 'symbol' || !WRITES.has(member)) return value.bind(target);
        return async (...sent: unknown[]) => {
          await before(collection.collectionName);
          return value.apply(target, sent);
        };
      },
    });
  const database = databaseOf(client.db());
  return new MongoDbDocumentStore(
    client,
    {
      ...database,
      checkpoints: held(database.checkpoints),
      documents: (physical) => held(database.documents(physical)),
    },
    repeatingFor('requests'),
  );
};
