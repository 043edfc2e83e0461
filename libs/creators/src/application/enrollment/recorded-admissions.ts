import {
  type CreatorId,
  type EventLog,
  newestEventsOfStream,
  type RecordedEvent,
  streamName,
  type WorkspaceId,
} from '#kernel';
import type { RosterAdmission, RosterEvent } from '../../domain/enrollment/roster.events.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';

/** What a creator was admitted with, the newest first: the roster's state does not keep it. */
export async function* admissionsOf(
  log: EventLog,
  creatorId: CreatorId,
  workspaceId: WorkspaceId,
): AsyncGenerator<RosterAdmission, undefined> {
  const stream = streamName(rosterDecider.category, workspaceId);
  for await (const event of newestEventsOfStream(log, stream)) {
    const { type, data } = event as RecordedEvent<RosterEvent>;
    const isAdmission = type === 'roster.creatorAdmitted.v1' || type === 'roster.externalIdReplaced.v1';
    if (isAdmission && data.creatorId === creatorId) yield data as RosterAdmission;
  }
  return undefined;
}
