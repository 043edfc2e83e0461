import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CreatorId, parseId, parseUserId, type WorkspaceId } from '#kernel';
import { isAccessible } from '../../domain/creator.state.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import { shownIdentity } from '../../domain/identity/identity.js';
import { isSameAccount, type Profile, profileInShape } from '../../domain/profile-url.js';
import { CreatorsOfProfiles } from '../../read-models/creators-of-profiles.js';
import { CreatorPorts } from '../access/creator-ports.js';

/** `withheld`: the text is the native user of a creator that the agency cannot see now. */
type CreatorNamed = CreatorId | 'withheld' | undefined;

/** The creator that a text names: its id, its exact external id, its native user's id, or the URL of a profile. */
export class FindCreator extends Query<CreatorNamed> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly text: string,
  ) {
    super();
  }
}

@QueryHandler(FindCreator)
export class FindCreatorHandler implements IQueryHandler<FindCreator> {
  constructor(
    private readonly ports: CreatorPorts,
    private readonly profiles: CreatorsOfProfiles,
  ) {}

  async execute({ workspaceId, text }: FindCreator): Promise<CreatorNamed> {
    const { state: roster } = await this.ports.rosters.load(workspaceId);
    const userId = parseUserId(text);
    const profile = profileInShape(text);
    const ofUser = userId && roster.byUser.get(userId);
    const candidates = [
      parseId('creator', text),
      roster.byExternalId.get(digestOf(text)),
      ofUser,
      profile && (await this.profiles.find(workspaceId, profile)),
    ];
    for (const creatorId of candidates) {
      if (creatorId !== undefined && (await this.isShown(creatorId, workspaceId, profile))) return creatorId;
    }
    return ofUser === undefined ? undefined : 'withheld';
  }

  private async isShown(
    creatorId: CreatorId,
    workspaceId: WorkspaceId,
    profile: Profile | undefined,
  ): Promise<boolean> {
    const { state } = await this.ports.repository.load(creatorId);
    if (!isAccessible(state) || state.workspaceId !== workspaceId) return false;
    if (profile === undefined) return true;
    return shownIdentity(state).profiles.some((one) => isSameAccount(one, profile));
  }
}
