import { type CreatorId, type EventLog, type RecordedEvent, streamName, type WorkspaceId } from '#kernel';
import type { RosterAdmission, RosterEvent } from '../../domain/enrollment/roster.events.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';

/** Events of one read of the roster. */
const PAGE_SIZE = 100;

/** What a creator was admitted with, the newest first: the roster's state does not keep it. */
export async function* admissionsOf(
  log: EventLog,
  creatorId: CreatorId,
  workspaceId: WorkspaceId,
): AsyncGenerator<RosterAdmission> {
  const stream = streamName(rosterDecider.category, workspaceId);
  for (let from: number | undefined; ; ) {
    const page = (await log.readStream(stream, {
      direction: 'backwards',
      limit: PAGE_SIZE,
      ...(from !== undefined && { from }),
    })) as RecordedEvent<RosterEvent>[];
    for (const { type, data } of page) {
      const isAdmission = type === 'roster.creatorAdmitted.v1' || type === 'roster.externalIdReplaced.v1';
      if (isAdmission && data.creatorId === creatorId) yield data as RosterAdmission;
    }
    const last = page.at(-1);
    if (last === undefined || last.revision === 0) return;
    from = last.revision - 1;
  }
}

export const lastAdmission = async (
  log: EventLog,
  creatorId: CreatorId,
  workspaceId: WorkspaceId,
): Promise<RosterAdmission | undefined> => (await admissionsOf(log, creatorId, workspaceId).next()).value ?? undefined;
