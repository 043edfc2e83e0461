import {
  type CommandContext,
  type CreatorId,
  type EventLog,
  NO_EVENTS,
  newestEventsOfStream,
  type RecordedEvent,
  streamName,
  type WorkspaceId,
} from '#kernel';
import { isRefusedAndRemoved } from '../../domain/creator.state.js';
import { enrollByInvitation, enrollByLink, importCreator } from '../../domain/enrollment/enrollment.js';
import { type RosterAdmission, type RosterEvent, rosterDecider } from '../../domain/enrollment/roster.js';
import { isAdmittedAgain } from '../../domain/enrollment/roster-admission.js';
import { release } from '../../domain/enrollment/roster-seats.js';
import { withCreatorLease } from '../access/creator-access.js';
import { type CreatorPorts, isFound, type LoadedCreator } from '../access/creator-ports.js';

/** The creator's admissions, the newest first, from the roster's stream: its state does not keep them. */
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

/**
 * The admission of an enrollment that the roster has but, after a crash, the creator's stream lacks (D28, D30).
 * Undefined if the stream has it.
 */
export const incompleteAdmission = async (
  { rosters, log }: CreatorPorts,
  creator: LoadedCreator,
  workspaceId: WorkspaceId,
): Promise<RosterAdmission | undefined> => {
  const { id, state } = creator;
  const isAgain = isRefusedAndRemoved(state) && isAdmittedAgain((await rosters.load(workspaceId)).state, creator);
  if (state.status === 'known' && state.enrollment.via !== 'import' && !isAgain) return undefined;
  const { value: admission } = await admissionsOf(log, id, workspaceId).next();
  return state.status === 'known' && admission?.via === 'import' ? undefined : admission;
};

/** Records the enrollment as it was admitted; nothing if the platform does not show its user. */
export const beginEnrollment = async (
  { repository, platform }: CreatorPorts,
  creator: LoadedCreator,
  { creatorId, agencyId, epoch, via, userId, personal }: RosterAdmission,
  workspaceId: WorkspaceId,
  context: CommandContext,
): Promise<LoadedCreator> => {
  const { externalId, submitted } = personal;
  const enrolling = { creatorId, agencyId, workspaceId, epoch, externalId };
  if (via === 'invitation') {
    if (submitted?.invitee == null) throw new Error('an invitation has an invitee');
    const enrollment = { ...enrolling, identity: submitted.identity, invitee: submitted.invitee };
    return repository.update(creator, context, (state) => enrollByInvitation(state, enrollment, true));
  }
  const native = userId === null ? undefined : await platform.getCreator(agencyId, userId);
  if (native === undefined) return creator;
  return repository.update(creator, context, (state) =>
    submitted === null
      ? importCreator(state, enrolling, native)
      : enrollByLink(state, { ...enrolling, userId: native.userId, identity: submitted.identity }, native),
  );
};

/** Under the lease: a link that begins the stream comes before this, or after it and is counted again (D31). */
export const releaseSeat = (
  { repository, rosters, leases }: CreatorPorts,
  creatorId: CreatorId,
  workspaceId: WorkspaceId,
  context: CommandContext,
): Promise<LoadedCreator> =>
  withCreatorLease(leases, creatorId, async () => {
    const creator = await repository.load(creatorId);
    if (isFound(creator)) return creator;
    await rosters.update(workspaceId, context, (roster) => release(roster, creatorId, 'transferred', NO_EVENTS));
    return creator;
  });
