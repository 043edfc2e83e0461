import type { Instant } from '#kernel';
import type { VerifiedAgency } from '../domain/agency.js';

export interface PublicWorkspaceSummary {
  readonly id: string;
  readonly external_id: string;
  readonly name: string;
}

export interface PublicWorkspace extends PublicWorkspaceSummary {
  readonly created_at: Instant;
  readonly simulated: false;
}

/** D22: the external id of the one workspace is the platform's agency id. */
export const publicWorkspaceSummary = ({ binding, native }: VerifiedAgency): PublicWorkspaceSummary => ({
  id: binding.workspaceId,
  external_id: binding.agencyId,
  name: native.name,
});

export const publicWorkspace = (agency: VerifiedAgency): PublicWorkspace => ({
  ...publicWorkspaceSummary(agency),
  created_at: agency.binding.boundAt,
  simulated: false,
});
