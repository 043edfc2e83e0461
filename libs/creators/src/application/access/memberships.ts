import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  ageOf,
  type CollectionDefinition,
  type CreatorId,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
  MINUTE,
} from '#kernel';

/** D78: how long the platform's answer that a creator is a member is valid for reads of its data. */
export const MEMBERSHIP_LASTS: Duration = MINUTE;
const MAX_REMEMBERED = 20_000;

export interface Confirmation extends Document {
  readonly at: Instant;
}

/** Not a read model: when a worker last saw each creator on the platform. A loss costs one call to the platform. */
export const MEMBERSHIP_CONFIRMATIONS: CollectionDefinition = { name: 'membership_confirmations', indexes: [] };

/**
 * When the platform last confirmed each creator's membership, to this process or to a worker (D78). Not a cache: reads
 * use it to decide whether to ask the platform, which each of them would otherwise do.
 */
@Injectable()
export class Memberships {
  private readonly confirmed = new LRUCache<CreatorId, Instant>({ max: MAX_REMEMBERED });

  constructor(private readonly shared: DocumentStore) {}

  /** The platform has shown the creator as a member, to a call that began then. */
  confirm(creatorId: CreatorId, askedAt: Instant): void {
    this.confirmed.set(creatorId, askedAt);
  }

  share(creatorIds: readonly CreatorId[], askedAt: Instant): Promise<void> {
    if (creatorIds.length === 0) return Promise.resolve();
    const put = creatorIds.map((id): Confirmation => ({ id, at: askedAt }));
    return this.shared.write([{ collection: MEMBERSHIP_CONFIRMATIONS.name, put }]);
  }

  async isConfirmed(creatorId: CreatorId, now: Instant): Promise<boolean> {
    if (isRecent(this.confirmed.peek(creatorId), now)) return true;
    const at = (await this.shared.get<Confirmation>(MEMBERSHIP_CONFIRMATIONS.name, creatorId))?.at;
    if (at === undefined || !isRecent(at, now)) return false;
    this.confirm(creatorId, at);
    return true;
  }
}

const isRecent = (at: Instant | undefined, now: Instant): boolean =>
  at !== undefined && ageOf(at, now) < MEMBERSHIP_LASTS;
