import { type CommandContext, type DueItem, newEventId, Trail } from '#kernel';

/** The context of due work: each time that it is done is a chain of its own. */
export const dueContext = ({ kind, workspaceId }: DueItem): CommandContext => ({
  actor: `process:${kind}`,
  correlationId: newEventId(),
  causationId: null,
  workspaceId,
  trail: new Trail(),
});
