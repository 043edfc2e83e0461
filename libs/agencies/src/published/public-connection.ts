import type { Published } from '#kernel';
import type { VerifiedAgency } from '../domain/agency.js';
import type { IssuedKey } from '../domain/api-key.js';

/** D22: the external id of the one workspace is the platform's agency id. */
const publicWorkspaceSummary = ({ binding, native }: VerifiedAgency) => ({
  id: binding.workspaceId,
  external_id: binding.agencyId,
  name: native.name,
});

export type PublicWorkspaceSummary = Published<ReturnType<typeof publicWorkspaceSummary>>;

export const publicWorkspace = (agency: VerifiedAgency) => ({
  ...publicWorkspaceSummary(agency),
  created_at: agency.binding.boundAt,
  simulated: false as const,
});

export type PublicWorkspace = Published<ReturnType<typeof publicWorkspace>>;

/** D14: any valid key may see it; the workspace needs the scope to read it. */
export const publicConnection = (key: IssuedKey, agency: VerifiedAgency, isEngineConfigured: boolean) => ({
  partner: { id: key.agencyId, name: agency.native.name, kind: 'agency' as const },
  workspace_id: key.workspaceId,
  key_id: key.keyId,
  scopes: key.scopes,
  expires_at: key.expiresAt,
  environment: 'live' as const,
  workspaces: key.scopes.includes('workspaces:read') ? [publicWorkspaceSummary(agency)] : [],
  engine_configured: isEngineConfigured,
  simulated: false as const,
});

export type PublicConnection = Published<ReturnType<typeof publicConnection>>;
