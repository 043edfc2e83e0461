import type { Position } from '../events/event.js';
import type { WorkspaceId } from '../ids.js';

/** Who runs a command, and why. It becomes the metadata of the events. */
export interface CommandContext {
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly workspaceId: WorkspaceId | null;
  /** Advances with what the commands of this context append or read. */
  readonly consistencyToken: ConsistencyToken;
}

/** An event, as events that it causes refer to it. */
export interface Cause {
  readonly id: string;
  readonly correlationId: string;
}

/** The log position that an answer must reflect, so that a client reads what it has written. */
export class ConsistencyToken {
  private furthest: Position = 0;

  get position(): Position {
    return this.furthest;
  }

  advanceTo(position: Position): void {
    if (position > this.furthest) this.furthest = position;
  }
}

export const processContext = (process: string, workspaceId: WorkspaceId | null, cause: Cause): CommandContext => ({
  actor: `process:${process}`,
  correlationId: cause.correlationId,
  causationId: cause.id,
  workspaceId,
  consistencyToken: new ConsistencyToken(),
});
