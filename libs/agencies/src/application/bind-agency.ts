import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyId, type CommandContext, DomainError, type UserId } from '#kernel';
import { type Binding, bind, requireBound, workspaceOf } from '../domain/agency.js';
import { AgencyRepository } from './agency.repository.js';
import { AgencyAccess } from './agency-access.js';

/** Binds a verified agency to its present owner; for the same owner nothing changes. */
export class BindAgency extends Command<Binding> {
  constructor(
    readonly agencyId: AgencyId,
    readonly context: CommandContext,
    /** The owner that the person has seen; another one is refused with `agency_owner_changed`. */
    readonly seenOwner?: UserId,
  ) {
    super();
  }
}

@CommandHandler(BindAgency)
export class BindAgencyHandler implements ICommandHandler<BindAgency> {
  constructor(
    private readonly agencies: AgencyRepository,
    private readonly access: AgencyAccess,
  ) {}

  async execute({ agencyId, context, seenOwner }: BindAgency): Promise<Binding> {
    const workspaceId = workspaceOf(agencyId);
    const inWorkspace = { ...context, workspaceId };
    for (;;) {
      const { position: began } = await this.agencies.load(agencyId);
      const native = await this.access.ask(agencyId);
      if (native.ownerUserId !== (seenOwner ?? native.ownerUserId)) throw new DomainError('agency_owner_changed');
      const { state, events, position } = await this.agencies.update(agencyId, inWorkspace, (agency, _now, before) =>
        before > began ? [] : bind(agency, native, workspaceId),
      );
      // Another command bound it concurrently, perhaps to a later owner than the one in this answer of the platform.
      if (events.length > 0 || position <= began) return requireBound(state);
    }
  }
}
