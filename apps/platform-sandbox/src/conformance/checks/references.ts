import type { Check } from '../check.js';
import { requiredOperations } from '../samples.js';

const finds = requiredOperations.map(({ id }) => id).filter((id) => id.startsWith('find'));

export const referenceChecks: readonly Check[] = finds.map((id) => ({
  name: `${id} may refuse a request without its reference`,
  verify: ({ client, discovery }) =>
    client.mayRefuse(id, id === 'findInvitation' ? { path: { agency_id: discovery.agencyId } } : {}),
}));
