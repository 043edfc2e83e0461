import type { VerifiedAgency } from '#agencies';

/** D22: the agency's one workspace goes by the platform's agency id. */
export const presentWorkspaceSummary = ({ binding, native }: VerifiedAgency) => ({
  id: binding.workspaceId,
  external_id: binding.agencyId,
  name: native.name,
});

export const presentWorkspace = (agency: VerifiedAgency) => ({
  ...presentWorkspaceSummary(agency),
  created_at: agency.binding.boundAt,
  simulated: false,
});
