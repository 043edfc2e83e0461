import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, type CommandContext, DomainError, type UserId } from '#kernel';
import { type Binding, bind, type NativeAgency, requireBound, workspaceOf } from '../domain/agency.js';
import { AgencyRepository } from './agency.repository.js';
import { AgencyAccess } from './agency-access.js';

export interface AgencyDescription {
  /** Undefined for an agency that the platform does not know; `unavailable` if it does not answer, or wrongly. */
  readonly native: NativeAgency | 'unavailable' | undefined;
  readonly binding: Binding | undefined;
}

/** The agency's record on the platform and its binding. It refuses nothing, even if the agency may not act. */
export class DescribeAgency extends Query<AgencyDescription> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(DescribeAgency)
export class DescribeAgencyHandler implements IQueryHandler<DescribeAgency> {
  constructor(
    private readonly agencies: AgencyRepository,
    private readonly access: AgencyAccess,
  ) {}

  async execute({ agencyId }: DescribeAgency): Promise<AgencyDescription> {
    const { state } = await this.agencies.load(agencyId);
    const binding = state.status === 'bound' ? state : undefined;
    try {
      return { native: await this.access.find(agencyId, state), binding };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { native: 'unavailable', binding };
    }
  }
}

/** The present binding of an agency; `not_found` if it was never bound. */
export class GetBinding extends Query<Binding> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(GetBinding)
export class GetBindingHandler implements IQueryHandler<GetBinding> {
  constructor(private readonly agencies: AgencyRepository) {}

  async execute({ agencyId }: GetBinding): Promise<Binding> {
    return requireBound((await this.agencies.load(agencyId)).state);
  }
}

/** Binds a verified agency to its current owner; for the same owner nothing changes. */
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
      // Another command bound it concurrently, perhaps to a later owner than the one in this answer from the platform.
      if (events.length > 0 || position <= began) return requireBound(state);
    }
  }
}
