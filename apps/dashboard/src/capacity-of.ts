import type { QueryBus } from '@nestjs/cqrs';
import { GetCapacity, publicCapacity } from '#creators';
import { type AgencyId, DomainError } from '#kernel';

/** The agency's slots and plan, null while the platform does not say. */
export const capacityOf = async (queries: QueryBus, agencyId: AgencyId) => {
  try {
    return publicCapacity(await queries.execute(new GetCapacity(agencyId)));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};
