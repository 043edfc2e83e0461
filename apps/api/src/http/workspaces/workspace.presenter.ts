import type { VerifiedAgency } from '#agencies';

/** D22: the external id of the one workspace is the platform's agency id. */
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
