import { agencyId, derivedId } from '#kernel';
import type { ServedRequest } from './request-log.js';

export const lumen = agencyId('ag_lumen');
export const backend = derivedId('key', 'backend');
export const reports = derivedId('key', 'reports');

export const ROSTER = 'GET /v1/creators';

export const served = (changes: Partial<ServedRequest> = {}): ServedRequest => ({
  requestId: 'req_1',
  agencyId: lumen,
  keyId: backend,
  route: ROSTER,
  status: 200,
  code: null,
  problems: [],
  ...changes,
});

export const refused = (requestId: string, changes: Partial<ServedRequest> = {}): ServedRequest =>
  served({ requestId, status: 404, code: 'not_found', ...changes });
