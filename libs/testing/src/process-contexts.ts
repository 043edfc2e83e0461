import { expect } from '@jest/globals';
import { type Cause, type CommandContext, ConsistencyToken, derivedId } from '#kernel';

/** The event that a process handles, or that made its item due. */
export const CAUSE: Cause = { id: 'the-event', correlationId: 'req_1' };

/** The workspace of that event. */
export const WORKSPACE = derivedId('workspace', 'testing');

/** The context of the commands of a process, a reaction's name or a task kind: they continue what the event began. */
export const contextOfProcess = (process: string): CommandContext => ({
  actor: `process:${process}`,
  correlationId: CAUSE.correlationId,
  causationId: CAUSE.id,
  workspaceId: WORKSPACE,
  consistencyToken: new ConsistencyToken(),
});

/** The context of a task that repeats: each round has its own correlation id, a new UUIDv7. */
export const contextOfRound = (kind: string): CommandContext => ({
  ...contextOfProcess(kind),
  correlationId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as unknown as string,
});
