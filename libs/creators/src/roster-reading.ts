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
import { admitMembers, automaticExternalId, type Roster, type RosterEntry, rosterDecider } from './roster.js';

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
    const { byUser, creators } = await this.admit(scope, members, context);
    const states = await Promise.all(
      members.map((native) => {
        const entry = creators.get(byUser.get(native.userId) as CreatorId);
        if (entry === undefined) throw new DomainError('internal_error');
        return this.record(scope, entry, native, context, { began, rebinding });
      }),
    );
    return { creators: states.filter(isAccessible), nextCursor };
  }

  private async admit(
    { agencyId, workspaceId, epoch }: AgencyScope,
    natives: readonly NativeCreator[],
    context: CommandContext,
  ): Promise<Roster> {
    const members = natives.map(({ userId, invitationReference }) => ({
      userId,
      invited: invitationReference === null ? null : (parseId('creator', invitationReference) ?? null),
      newId: newId('creator'),
    }));
    const { state } = await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      admitMembers(roster, members, { agencyId, epoch }),
    );
    return state;
  }

  private record(
    scope: AgencyScope,
    { creatorId, fingerprint }: RosterEntry,
    native: NativeCreator,
    context: CommandContext,
    { began, rebinding }: { readonly began: Position; readonly rebinding: boolean },
  ) {
    const imported = { creatorId, ...scope, externalId: automaticExternalId(native.userId) };
    return this.creators.decide(creatorId, context, (state, _now, position) => {
      // An enrollment is under way that has not come that far, or was cut short: it is more than an import.
      if (state.status === 'unknown' && fingerprint !== null) return [];
      return [
        ...(rebinding ? rebind(state, scope.epoch) : []),
        // What has been recorded since the page was asked for may be newer.
        ...(position > began ? [] : importCreator(state, imported, native)),
      ];
    });
  }
}

/** The contract lists neither staff nor invitees before their onboarding; whoever else it lists belongs to the agency. */
const isMember = ({ isStaff, onboardingComplete, invitationReference }: NativeCreator): boolean =>
  !isStaff && (onboardingComplete || invitationReference === null);
