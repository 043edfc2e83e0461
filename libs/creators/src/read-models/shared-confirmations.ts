import type { CreatorId, Instant } from '#kernel';

/** What workers have confirmed, for API processes to read. Losing it costs one call of the platform. */
export abstract class SharedConfirmations {
  abstract of(creatorId: CreatorId): Promise<Instant | undefined>;
  abstract set(creatorIds: readonly CreatorId[], at: Instant): Promise<void>;
}
