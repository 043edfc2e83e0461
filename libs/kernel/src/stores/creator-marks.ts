import type { CreatorId } from '../ids.js';
import type { CollectionDefinition, Document, DocumentStore } from './document-store.js';

/** A note for each creator of what a reader of the platform has read of it. No read model: a lost note costs one reading. */
export abstract class CreatorMarks<Mark extends object> {
  constructor(
    private readonly store: DocumentStore,
    private readonly collection: CollectionDefinition,
  ) {}

  of(creatorId: CreatorId): Promise<Mark | undefined> {
    return this.store.get<Mark & Document>(this.collection.name, creatorId);
  }

  set(creatorId: CreatorId, mark: Mark): Promise<void> {
    return this.store.write([{ collection: this.collection.name, put: [{ ...mark, id: creatorId }] }]);
  }
}
