import type { Position } from './event.js';
import type { WorkspaceId } from './ids.js';

/** On whose behalf, and after what, a command runs; it ends up in the metadata of the events. */
export interface CommandContext {
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId: string | null;
  readonly workspaceId: WorkspaceId | null;
  /** Follows how far in the log the commands of this context have written or read. */
  readonly trail: Trail;
}

/** An event, as what follows from it names it. */
export interface Cause {
  readonly id: string;
  readonly correlationId: string;
}

/** The furthest position that an answer must not be older than. */
export class Trail {
  private furthest: Position = 0;

  get position(): Position {
    return this.furthest;
  }

  passed(position: Position): void {
    if (position > this.furthest) this.furthest = position;
  }
}

/** The context of a process acting on an event. */
export const processContext = (process: string, workspaceId: WorkspaceId | null, cause: Cause): CommandContext => ({
  actor: `process:${process}`,
  correlationId: cause.correlationId,
  causationId: cause.id,
  workspaceId,
  trail: new Trail(),
});
