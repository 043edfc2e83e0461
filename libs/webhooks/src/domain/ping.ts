import { parse } from 'uuid';
import { type Instant, typeIdOfBytes, type WorkspaceId } from '#kernel';

/** The body of a test: an envelope like an event's, of a type that no event has. It is not in the feed. */
export const ping = (testId: string, workspaceId: WorkspaceId, at: Instant): { id: string; body: Buffer } => {
  const id = typeIdOfBytes('event', parse(testId));
  const envelope = { id, type: 'ping', workspace_id: workspaceId, created_at: at, simulated: false, data: {} };
  return { id, body: Buffer.from(JSON.stringify(envelope)) };
};
