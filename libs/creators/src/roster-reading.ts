import {
  type CommandContext,
  type CommandRunner,
  type CreatorId,
  DomainError,
  newId,
  type Position,
  parseId,
  type UserId,
} from '#kernel';
import { type EnrolledCreator, isAccessible } from './creator.state.js';
import type { AgencyScope, Creators } from './creators.js';
import { importCreator, rebind } from './enrollment.js';
import type { CreatorPlatform, NativeCreator } from './ports.js';
import { admitMembers, automaticExternalId, rosterDecider } from './roster.js';

export interface CreatorPage {
  readonly creators: readonly EnrolledCreator[];
  readonly nextCursor: UserId | null;
}

/** Reads the native roster, and gives each member its API creator without activating anything. */
export class RosterReading {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly platform: CreatorPlatform,
  ) {}

  /**
   * One page in the order of user ids: one outside call; one append on the roster for all new members together, and one
   * on each creator that changed. `rebinding` brings what is seen under the present binding (D21).
   */
  async read(
    scope: AgencyScope,
    page: { readonly limit: number; readonly after?: UserId },
    context: CommandContext,
    { rebinding }: { readonly rebinding: boolean },
  ): Promise<CreatorPage> {
    const began = await this.runner.head();
    const { creators: natives, nextCursor } = await this.platform.listRoster(scope.agencyId, page);
    const members = natives.filter(isMember);
    const creatorIds = await this.admit(scope, members, context);
    const states = await Promise.all(
      members.map((native, index) => this.record(scope, creatorIds[index], native, context, { began, rebinding })),
    );
    return { creators: states.filter(isAccessible), nextCursor };
  }

  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    natives: readonly NativeCreator[],
    context: CommandContext,
  ): Promise<CreatorId[]> {
    const members = natives.map(({ userId, invitationReference }) => ({
      userId,
      invited: invitationReference === null ? null : (parseId('creator', invitationReference) ?? null),
      newId: newId('creator'),
    }));
    const { state } = await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      admitMembers(roster, members, { agencyId, epoch }),
    );
    return members.map(({ userId }) => {
      const creatorId = state.byUser.get(userId);
      if (creatorId === undefined) throw new DomainError('internal_error');
      return creatorId;
    });
  }

  private record(
    scope: AgencyScope,
    creatorId: CreatorId | undefined,
    native: NativeCreator,
    context: CommandContext,
    { began, rebinding }: { readonly began: Position; readonly rebinding: boolean },
  ) {
    if (creatorId === undefined) throw new DomainError('internal_error');
    const imported = { creatorId, ...scope, externalId: automaticExternalId(native.userId) };
    return this.creators.decide(creatorId, context, (state, _now, position) => [
      ...(rebinding ? rebind(state, scope.epoch) : []),
      // What has been recorded since the page was asked for may be newer.
      ...(position > began ? [] : importCreator(state, imported, native)),
    ]);
  }
}

/** The contract lists neither staff nor invitees before their onboarding; whoever else it lists belongs to the agency. */
const isMember = ({ isStaff, onboardingComplete, invitationReference }: NativeCreator): boolean =>
  !isStaff && (onboardingComplete || invitationReference === null);
