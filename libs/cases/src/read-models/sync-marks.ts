import { Injectable } from '@nestjs/common';
import { type CollectionDefinition, CreatorMarks, DocumentStore, type Instant, type Position } from '#kernel';

/** Until when a creator's leaks have been read, and how far in the log what was found by then has been recorded. */
export interface SyncMark {
  readonly through: Instant;
  readonly position: Position;
}

export const SYNC_MARKS: CollectionDefinition = { name: 'case_sync_marks', indexes: [] };

@Injectable()
export class SyncMarks extends CreatorMarks<SyncMark> {
  constructor(store: DocumentStore) {
    super(store, SYNC_MARKS);
  }
}
