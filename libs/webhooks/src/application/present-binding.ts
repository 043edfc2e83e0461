import type { QueryBus } from '@nestjs/cqrs';
import { GetBinding, requirePresentEpoch } from '#agencies';
import type { RegisteredEndpoint } from '../domain/webhook-endpoint.js';

/** D100: nothing is sent to an endpoint of an earlier binding, and the earlier owner may still own the receiver. */
export const requirePresentBinding = async (
  queries: Pick<QueryBus, 'execute'>,
  { agencyId, epoch }: RegisteredEndpoint,
): Promise<void> => {
  requirePresentEpoch(await queries.execute(new GetBinding(agencyId)), epoch);
};
