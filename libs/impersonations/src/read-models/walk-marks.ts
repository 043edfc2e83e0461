import { Injectable } from '@nestjs/common';
import { type CollectionDefinition, CreatorMarks, DocumentStore, type Position } from '#kernel';
import type { CompleteWalk } from '../domain/long-list.js';

/** The worker's last complete walk of a creator's records, and how far in the log what it found has been recorded. */
export interface WalkMark extends CompleteWalk {
  readonly position: Position;
}

export const WALK_MARKS: CollectionDefinition = { name: 'impersonation_walk_marks', indexes: [] };

@Injectable()
export class WalkMarks extends CreatorMarks<WalkMark> {
  constructor(store: DocumentStore) {
    super(store, WALK_MARKS);
  }
}
