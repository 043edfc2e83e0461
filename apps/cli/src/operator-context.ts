import { userInfo } from 'node:os';
import { type AgencyId, type CommandContext, derivedId, newEventId, Trail } from '#kernel';

/** Commands of the tool are recorded as the operator's who ran it. */
export const operatorContext = (agencyId: AgencyId | null): CommandContext => ({
  actor: `operator:${userInfo().username}`,
  correlationId: newEventId(),
  causationId: null,
  workspaceId: agencyId === null ? null : derivedId('workspace', agencyId),
  trail: new Trail(),
});
