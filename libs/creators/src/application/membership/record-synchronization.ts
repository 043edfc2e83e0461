import type { AgencyId, CreatorId, UserId, WorkspaceId } from '#kernel';

/** A creator whose records at the platform can be read. */
export interface LinkedCreator {
  readonly creatorId: CreatorId;
  readonly agencyId: AgencyId;
  readonly workspaceId: WorkspaceId;
  readonly userId: UserId;
}

/** Where the platform does not show the creator, nothing is read, and nothing is concluded about its records. */
export type Synchronized = 'synchronized' | 'not_a_member';
