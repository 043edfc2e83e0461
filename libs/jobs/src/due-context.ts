import { type CommandContext, type DueItem, newEventId, processContext } from '#kernel';

export const dueContext = ({ kind, workspaceId, cause }: DueItem): CommandContext =>
  processContext(kind, workspaceId, cause);

/** The command context of due work that repeats: each round has its own correlation id. */
export const roundContext = (item: DueItem): CommandContext => ({ ...dueContext(item), correlationId: newEventId() });
