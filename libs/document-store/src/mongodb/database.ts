import type { Collection, Db } from 'mongodb';
import type { CatalogueEntry } from './catalogue.js';
import type { StoredCheckpoint } from './checkpoints.js';
import type { Counters, StoredCounter } from './counters.js';
import type { StoredLease, StoredLeases } from './leases.js';
import type { StoredDocument } from './stored.js';

/** The store's own collections begin with an underscore, those of documents with a letter. */
export interface Database {
  readonly db: Db;
  readonly collections: Collection<CatalogueEntry>;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly leases: StoredLeases;
  readonly counters: Counters;
  documents(collection: string): Collection<StoredDocument>;
}

export const databaseOf = (db: Db): Database => ({
  db,
  collections: db.collection<CatalogueEntry>('_collections'),
  checkpoints: db.collection<StoredCheckpoint>('_checkpoints'),
  leases: db.collection<StoredLease>('_leases'),
  counters: db.collection<StoredCounter>('_counters'),
  documents: (collection) => db.collection<StoredDocument>(collection),
});
