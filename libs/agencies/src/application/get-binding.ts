import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AgencyId } from '#kernel';
import { type Binding, requireBound } from '../domain/agency.js';
import { AgencyRepository } from './agency.repository.js';

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
