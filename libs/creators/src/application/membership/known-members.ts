import { Injectable } from '@nestjs/common';
import { parseId, type WorkspaceId } from '#kernel';
import type { NativeCreator } from '../../domain/native-creator.js';
import { CreatorsOfUsers } from '../../read-models/creators-of-users.js';
import { CreatorRepository } from '../access/creator.repository.js';
import type { LoadedCreator } from '../access/loaded-creator.js';

@Injectable()
export class KnownMembers {
  constructor(
    private readonly users: CreatorsOfUsers,
    private readonly repository: CreatorRepository,
  ) {}

  /** In the order of the members; undefined unless the read model knows all of them, and their streams confirm it. */
  async find(workspaceId: WorkspaceId, members: readonly NativeCreator[]): Promise<LoadedCreator[] | undefined> {
    const userIds = members.map(({ userId }) => userId);
    const found = await this.users.find(workspaceId, userIds);
    const creatorIds = found.filter((creatorId) => creatorId !== undefined);
    if (creatorIds.length < members.length) return undefined;
    const creators = await this.repository.loadAll(creatorIds);
    const areConfirmed = creators.every((creator, n) => isCreatorOf(creator, members[n], workspaceId));
    return areConfirmed ? [...creators] : undefined;
  }
}

/** Also whether the user accepted no invitation of another creator, which is to be detached then (D74). */
const isCreatorOf = (
  { id, state }: LoadedCreator,
  member: NativeCreator | undefined,
  workspaceId: WorkspaceId,
): boolean =>
  state.status === 'known' &&
  state.workspaceId === workspaceId &&
  state.userId === member?.userId &&
  (member.invitationReference === null || parseId('creator', member.invitationReference) === id);
