import type { Type } from '@nestjs/common';
import { type CommandContext, type CreatorId, MINUTE } from '#kernel';
import type { Given } from '../../testing/src/test-ports.module.js';
import { contextOf, scope, testedContext } from '../../testing/src/tested-context.js';
import { CreatorRepository } from './application/access/creator.repository.js';
import type { PageRequest } from './application/access/creator-platform.js';
import { type AgencyScope, CreatorPorts, type LoadedCreator } from './application/access/creator-ports.js';
import { AdvanceEnrollment } from './application/enrollment/advance-enrollment.js';
import { InviteCreator } from './application/enrollment/invite-creator.js';
import { LinkCreator } from './application/enrollment/link-creator.js';
import { ResendInvitation } from './application/enrollment/resend-invitation.js';
import { writeSubmittedIdentity } from './application/identity/submitted-identity.js';
import { UpdateCreator } from './application/identity/update-creator.js';
import { CreatorErasure } from './application/membership/creator-erasure.js';
import { ObserveCreator, ObserveRoster } from './application/membership/observe-creator.js';
import { RemoveCreator } from './application/membership/remove-creator.js';
import { accessibleCreators, RosterReading } from './application/membership/roster-reading.js';
import { ActivateProtection, PauseProtection, SettleSlot } from './application/protection/change-protection.js';
import { CreatorsModule } from './creators.module.js';
import { miaUser, submitted } from './domain/creator.fixtures.js';
import type { Invite, LinkEnrollment } from './domain/enrollment/roster-admission.js';
import type { IdentityChange } from './domain/identity/identity.js';

/** Enrolls a member of the platform's. */
export const linkOfMia = { userId: miaUser, externalId: 'ext-mia', identity: submitted, fingerprint: 'body' };

/** This context under test, alone or with others, with a word for each of its commands. */
export const stage = async (replaced: readonly Given[] = [], modules: readonly Type[] = [CreatorsModule]) => {
  const tested = await testedContext(modules, replaced);
  const { commands, get } = tested;
  return {
    ...tested,
    scope,
    context: contextOf(),
    creatorRepository: get(CreatorRepository),
    writeIdentity: (creator: LoadedCreator, context: CommandContext) =>
      writeSubmittedIdentity(get(CreatorPorts), tested.creators, creator, context),
    erasure: get(CreatorErasure),
    linkCreator: (by: AgencyScope, request: LinkEnrollment, context: CommandContext) =>
      commands.execute(new LinkCreator(by, request, context)),
    inviteCreator: (by: AgencyScope, request: Invite, context: CommandContext) =>
      commands.execute(new InviteCreator(by, request, context)),
    observeCreator: (creatorId: CreatorId, by: AgencyScope, context: CommandContext) =>
      commands.execute(new ObserveCreator(creatorId, by, context)),
    observeRoster: (by: AgencyScope, page: PageRequest, context: CommandContext) =>
      commands.execute(new ObserveRoster(by, page, context)),
    /** A worker's step, when no call can still be under way. */
    settle: async (creatorId: CreatorId) => {
      tested.clock.advance(MINUTE);
      await commands.execute(new AdvanceEnrollment(creatorId, scope.workspaceId, 0, contextOf()));
      return (await tested.creators.recorded(creatorId)).state;
    },
    /** As the worker reads it. */
    walkRoster: async (by: AgencyScope, page: PageRequest, context: CommandContext) => {
      const { creators: recorded } = await get(RosterReading).read(by, page, context, { rebinding: false });
      return { creators: accessibleCreators(recorded) };
    },
    settleSlot: (creatorId: CreatorId, context: CommandContext) => commands.execute(new SettleSlot(creatorId, context)),
    activateProtection: (creatorId: CreatorId, by: AgencyScope, context: CommandContext) =>
      commands.execute(new ActivateProtection(creatorId, by, context)),
    pauseProtection: (creatorId: CreatorId, by: AgencyScope, context: CommandContext) =>
      commands.execute(new PauseProtection(creatorId, by, context)),
    updateCreator: (creatorId: CreatorId, by: AgencyScope, change: IdentityChange, context: CommandContext) =>
      commands.execute(new UpdateCreator(creatorId, by, change, context)),
    removeCreator: (creatorId: CreatorId, by: AgencyScope, context: CommandContext) =>
      commands.execute(new RemoveCreator(creatorId, by, context)),
    resendInvitation: (creatorId: CreatorId, by: AgencyScope, key: string, context: CommandContext) =>
      commands.execute(new ResendInvitation(creatorId, by, key, context)),
  };
};

export type Stage = Awaited<ReturnType<typeof stage>>;
