import type { CommandContext, CreatorId, Instant } from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';
import type { FoundCreator, LoadedCreator } from './loaded-creator.js';

export type AgencyScope = Pick<EnrolledCreator, 'agencyId' | 'workspaceId' | 'epoch'>;

/** The ways to a creator for other contexts. Those with a scope reject with `not_found` where the agency cannot see it (D9). */
export abstract class CreatorAccess {
  /** For background work and audits: what the log has. */
  abstract recorded(creatorId: CreatorId): Promise<LoadedCreator>;
  /** The first line of a read of its data: the platform has to have shown it within the last minute (D78). */
  abstract forRead(from: CreatorId | LoadedCreator, scope: AgencyScope, context: CommandContext): Promise<FoundCreator>;
  /**
   * The first line of a write, before the replay, and of a read that asks the platform for its data itself: only one that
   * was missing is looked for (D43).
   */
  abstract forWrite(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<FoundCreator>;
  /** For gates on eligibility: as the platform shows it now; `not_found` when it shows it no more. */
  abstract current(creator: FoundCreator, context: CommandContext): Promise<FoundCreator>;
  /** After an answer of the platform that it knows no such member. */
  abstract reportMissing(
    from: CreatorId | LoadedCreator,
    context: CommandContext,
    synchronizedSince?: Instant,
  ): Promise<LoadedCreator>;
}
