import type { SyncMarks } from '#cases';
import type { CollectionDefinition, CreatorId, Document, DocumentStore, Instant } from '#kernel';

interface SyncMark extends Document {
  readonly through: Instant;
}

/** No read model: a reader's own notes, which cost one complete read when lost. */
export const SYNC_MARKS: CollectionDefinition = { name: 'case_sync_marks', indexes: [] };

export class StoredSyncMarks implements SyncMarks {
  constructor(private readonly store: DocumentStore) {}

  async of(creatorId: CreatorId): Promise<Instant | undefined> {
    return (await this.store.get<SyncMark>(SYNC_MARKS.name, creatorId))?.through;
  }

  set(creatorId: CreatorId, through: Instant): Promise<void> {
    const mark: SyncMark = { id: creatorId, through };
    return this.store.write([{ collection: SYNC_MARKS.name, put: [mark] }]);
  }
}
