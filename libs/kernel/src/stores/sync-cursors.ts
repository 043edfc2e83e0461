import type { CreatorId } from '../ids.js';
import type { CollectionDefinition, Document, DocumentStore } from './document-store.js';

/** For each creator, how far a reader of the platform has read. Not a read model: a lost cursor costs one reading. */
export class SyncCursors<Cursor extends object> {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: CollectionDefinition,
  ) {}

  of(creatorId: CreatorId): Promise<Cursor | undefined> {
    return this.store.get<Cursor & Document>(this.collection.name, creatorId);
  }

  set(creatorId: CreatorId, cursor: Cursor): Promise<void> {
    return this.store.write([{ collection: this.collection.name, put: [{ ...cursor, id: creatorId }] }]);
  }
}
