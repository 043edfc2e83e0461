import { type CommandContext, ConsistencyToken, newEventId } from '#kernel';

/** Whose workspace it is the services know themselves. */
export const operator = (): CommandContext => ({
  actor: 'operator:e2e',
  correlationId: newEventId(),
  causationId: null,
  workspaceId: null,
  consistencyToken: new ConsistencyToken(),
});
