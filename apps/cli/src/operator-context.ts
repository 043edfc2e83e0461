import { userInfo } from 'node:os';
import { type CommandContext, ConsistencyToken, newEventId } from '#kernel';

/** Commands of the tool are recorded as the operator's who ran it; whose workspace it is in what they handle says. */
export const operatorContext = (): CommandContext => ({
  actor: `operator:${userInfo().username}`,
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});
