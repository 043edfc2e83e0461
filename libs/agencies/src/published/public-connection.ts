import type { Instant } from '#kernel';
import type { VerifiedAgency } from '../domain/agency.js';
import type { IssuedKey } from '../domain/api-key.js';
import { type PublicWorkspaceSummary, publicWorkspaceSummary } from './public-workspace.js';

export interface PublicConnection {
  readonly partner: { readonly id: string; readonly name: string; readonly kind: 'agency' };
  readonly workspace_id: string;
  readonly key_id: string;
  readonly scopes: readonly string[];
  readonly expires_at: Instant | null;
  readonly environment: 'live';
  readonly workspaces: readonly PublicWorkspaceSummary[];
  readonly engine_configured: boolean;
  readonly simulated: false;
}

/** D14: any valid key may see it; the workspace needs the scope to read it. */
export const publicConnection = (
  key: IssuedKey,
  agency: VerifiedAgency,
  isEngineConfigured: boolean,
): PublicConnection => ({
  partner: { id: key.agencyId, name: agency.native.name, kind: 'agency' },
  workspace_id: key.workspaceId,
  key_id: key.keyId,
  scopes: key.scopes,
  expires_at: key.expiresAt,
  environment: 'live',
  workspaces: key.scopes.includes('workspaces:read') ? [publicWorkspaceSummary(agency)] : [],
  engine_configured: isEngineConfigured,
  simulated: false,
});
