import {
  type CreatorId,
  type Document,
  projection,
  StoreUnavailable,
  streamId,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import type { ReadModel } from '#projections';
import type { RosterEvent } from '../domain/enrollment/roster.js';

/** Which creator a user is in a workspace; its id has both. */
export interface CreatorOfUserDocument extends Document {
  readonly creatorId: CreatorId;
}

type LinksUser = {
  readonly stream: string;
  readonly data: { readonly userId: UserId | null; readonly creatorId: CreatorId };
};

const idOf = (workspaceId: string, userId: UserId): string => `${workspaceId}/${userId}`;

const linksUser = {
  documents: ({ stream, data: { userId } }: LinksUser) => (userId === null ? [] : idOf(streamId(stream), userId)),
  fold: (_: unknown, { data: { creatorId } }: LinksUser, id: string): CreatorOfUserDocument => ({ id, creatorId }),
};

export const creatorsOfUsersProjection = projection<CreatorOfUserDocument, RosterEvent>({
  name: 'creators_of_users',
  version: 1,
  indexes: [],
  on: {
    'roster.creatorAdmitted.v1': linksUser,
    'roster.externalIdReplaced.v1': linksUser,
    'roster.nativeUserLinked.v1': linksUser,
  },
});

/** Finds creators without the roster, whose stream is long after years (D88). The creator's own stream has to confirm it. */
export class CreatorsOfUsers {
  constructor(private readonly documents: ReadModel<CreatorOfUserDocument>) {}

  /** The creator of each user; undefined if it is not known or unreadable. */
  async find(workspaceId: WorkspaceId, userIds: readonly UserId[]): Promise<(CreatorId | undefined)[]> {
    const ids = userIds.map((userId) => idOf(workspaceId, userId));
    const found = await this.documents.getMany(ids).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return [];
      throw error;
    });
    const byId = new Map(found.map(({ id, creatorId }) => [id, creatorId]));
    return ids.map((id) => byId.get(id));
  }
}
