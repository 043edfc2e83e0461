import { Injectable } from '@nestjs/common';
import {
  type CollectionDefinition,
  type CreatorId,
  type Document,
  DocumentStore,
  type Instant,
  type Position,
} from '#kernel';

/** Until when a creator's leaks have been read, and how far in the log what was found by then has been recorded. */
export interface SyncMark {
  readonly through: Instant;
  readonly position: Position;
}

type StoredMark = SyncMark & Document;

/** No read model: a reader's own notes, which cost one complete read when lost. */
export const SYNC_MARKS: CollectionDefinition = { name: 'case_sync_marks', indexes: [] };

@Injectable()
export class SyncMarks {
  constructor(private readonly store: DocumentStore) {}

  of(creatorId: CreatorId): Promise<SyncMark | undefined> {
    return this.store.get<StoredMark>(SYNC_MARKS.name, creatorId);
  }

  set(creatorId: CreatorId, { through, position }: SyncMark): Promise<void> {
    const mark: StoredMark = { id: creatorId, through, position };
    return this.store.write([{ collection: SYNC_MARKS.name, put: [mark] }]);
  }
}
