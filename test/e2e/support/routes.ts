import type { Scope } from '#agencies';

export interface Route {
  readonly method: string;
  /** `{creator}` and `{workspace}` stand for ids of the caller's. */
  readonly path: string;
  readonly scopes: readonly Scope[];
  readonly body?: object;
}

const creator = '/v1/creators/{creator}';

/** The scope table of the specification, for the routes that are served. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/me', scopes: [] },
  { method: 'GET', path: '/v1/workspaces/{workspace}', scopes: ['workspaces:read'] },
  { method: 'GET', path: '/v1/creators', scopes: ['creators:read'] },
  { method: 'GET', path: creator, scopes: ['creators:read'] },
  { method: 'POST', path: '/v1/creators', scopes: ['creators:write'], body: {} },
  { method: 'PATCH', path: creator, scopes: ['creators:write'], body: {} },
  { method: 'DELETE', path: creator, scopes: ['creators:write'] },
  { method: 'POST', path: `${creator}/resend-invitation`, scopes: ['creators:write'], body: {} },
  { method: 'PUT', path: `${creator}/protection`, scopes: ['protection:write'], body: {} },
  { method: 'POST', path: `${creator}/scans`, scopes: ['scans:write'], body: {} },
  { method: 'GET', path: '/v1/scans/scn_00000000000000000000000000', scopes: ['scans:read'] },
  { method: 'GET', path: `${creator}/cases`, scopes: ['cases:read'] },
  { method: 'GET', path: `${creator}/report`, scopes: ['cases:read'] },
  { method: 'GET', path: `${creator}/activity`, scopes: ['cases:read'] },
  { method: 'GET', path: `${creator}/impersonations`, scopes: ['cases:read'] },
  { method: 'POST', path: `${creator}/impersonations`, scopes: ['cases:read', 'deindex:write'], body: {} },
  { method: 'GET', path: '/v1/usage', scopes: ['usage:read'] },
  { method: 'GET', path: '/v1/capacity', scopes: ['usage:read'] },
  {
    method: 'POST',
    path: '/v1/cases/cas_00000000000000000000000000/deindex-requests',
    scopes: ['cases:read', 'deindex:write'],
    body: {},
  },
  { method: 'GET', path: '/v1/deindex-requests/dix_00000000000000000000000000', scopes: ['cases:read'] },
  { method: 'GET', path: '/v1/events', scopes: ['events:read'] },
];
