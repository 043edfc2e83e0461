import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import { AgencyAccess, type AgencyDescription } from './agency-access.js';

/** What the platform and the log say of an agency, whether or not it may act. It refuses nothing. */
export class DescribeAgency extends Query<AgencyDescription> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(DescribeAgency)
export class DescribeAgencyHandler implements IQueryHandler<DescribeAgency> {
  constructor(private readonly access: AgencyAccess) {}

  execute({ agencyId }: DescribeAgency): Promise<AgencyDescription> {
    return this.access.describe(agencyId);
  }
}
