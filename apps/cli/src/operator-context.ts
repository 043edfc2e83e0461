import { userInfo } from 'node:os';
import { type CommandContext, ConsistencyToken, newEventId } from '#kernel';

/** Commands of the tool are recorded with the operator's name. What they change determines the workspace. */
export const operatorContext = (): CommandContext => ({
  actor: `operator:${userInfo().username}`,
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});
