import { type CommandContext, type DueItem, newEventId, processContext } from '#kernel';

/** The context of due work: it goes on with what an event began. */
export const dueContext = ({ kind, workspaceId, cause }: DueItem): CommandContext =>
  processContext(kind, workspaceId, cause);

/** The context of due work that the clock brings round again and again: each round is a request of its own. */
export const roundContext = (item: DueItem): CommandContext => ({ ...dueContext(item), correlationId: newEventId() });
