import type { QueryBus } from '@nestjs/cqrs';
import { type ListedKey, ListKeys } from '#agencies';
import { type AgencyId, DomainError } from '#kernel';

/** The agency's keys; none for an agency that was never bound. */
export const keysOf = async (queries: QueryBus, agencyId: AgencyId): Promise<readonly ListedKey[]> => {
  try {
    return await queries.execute(new ListKeys(agencyId));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return [];
    throw error;
  }
};
