import { Injectable } from '@nestjs/common';
import { type CollectionDefinition, type CreatorId, type Document, DocumentStore, type Instant } from '#kernel';
import type { SharedConfirmations } from './shared-confirmations.js';

export interface Confirmation extends Document {
  readonly at: Instant;
}

/** Not a read model: when a worker last saw each creator at the platform. A loss costs one call of the platform. */
export const MEMBERSHIP_CONFIRMATIONS: CollectionDefinition = { name: 'membership_confirmations', indexes: [] };

@Injectable()
export class StoredConfirmations implements SharedConfirmations {
  constructor(private readonly store: DocumentStore) {}

  async of(creatorId: CreatorId): Promise<Instant | undefined> {
    return (await this.store.get<Confirmation>(MEMBERSHIP_CONFIRMATIONS.name, creatorId))?.at;
  }

  set(creatorIds: readonly CreatorId[], at: Instant): Promise<void> {
    const put = creatorIds.map((id): Confirmation => ({ id, at }));
    return this.store.write([{ collection: MEMBERSHIP_CONFIRMATIONS.name, put }]);
  }
}
