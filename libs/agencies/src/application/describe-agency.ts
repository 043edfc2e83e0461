import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError } from '#kernel';
import type { Binding } from '../domain/agency.js';
import type { NativeAgency } from '../domain/native-agency.js';
import { AgencyRepository } from './agency.repository.js';
import { AgencyAccess } from './agency-access.js';

export interface AgencyDescription {
  /** Undefined for an agency that the platform does not know; `unavailable` if it does not answer, or wrongly. */
  readonly native: NativeAgency | 'unavailable' | undefined;
  readonly binding: Binding | undefined;
}

/** What the platform and the log say of an agency, whether or not it may act. It refuses nothing. */
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
