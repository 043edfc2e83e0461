import type { Collection, Db } from 'mongodb';
import type { EventInLog, IndexDefinition, Instant } from '#kernel';
import type { StoredDocument } from './stored.js';

/** Each collection that is created gets another name in MongoDB, so that a late write to a dropped one has no effect. */
export interface CatalogueEntry {
  readonly _id: string;
  readonly collection: string;
  readonly indexes: readonly IndexDefinition[];
  readonly revision: number;
}

export interface StoredCheckpoint {
  readonly _id: string;
  readonly fence: number;
  /** Undefined in a document of an earlier version whose first write was incomplete. */
  readonly position?: number;
  readonly event?: EventInLog | null;
}

/** A released lease keeps its document, without a holder, so that its fence never goes back. */
export interface StoredLease {
  readonly _id: string;
  readonly holder: string | null;
  readonly fence: number;
  readonly until: Instant;
}

export interface StoredCounter {
  readonly _id: string;
  readonly value: number;
  readonly expiresAt: Instant;
}

/** The names of the store's own collections begin with an underscore, those of document collections with a letter. */
export interface Database {
  readonly db: Db;
  readonly collections: Collection<CatalogueEntry>;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly leases: Collection<StoredLease>;
  readonly counters: Collection<StoredCounter>;
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
