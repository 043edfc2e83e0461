import { reacting } from '#jobs';
import { type CommandRunner, type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { readmit, release, rosterDecider } from '../domain/enrollment/roster.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

type Reason = Parameters<typeof release>[2];

/** Keeps the roster's count of enrollments in step with what became of each (D31). */
export const enrollmentCountProcess = (runner: CommandRunner) => {
  const decide = (event: RecordedEvent<CreatorEvent>, reason: Reason | null) => {
    const { id, stream, revision, metadata } = event;
    const { workspaceId, correlationId } = metadata;
    if (workspaceId === null) return Promise.resolve();
    const creatorId = streamId(stream) as CreatorId;
    const context = processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId });
    return runner.run(rosterDecider, workspaceId, context, (roster) =>
      reason === null ? readmit(roster, creatorId) : release(roster, creatorId, reason, revision),
    );
  };
  return reacting<CreatorEvent>(ENROLLMENT_COUNT, {
    // Its place was given back where its user had left before this, and has returned.
    'creator.enrolledByLink.v1': (event) => decide(event, null),
    'creator.invitationRefused.v1': (event) => decide(event, 'failed'),
    'creator.invitationSent.v1': (event) => decide(event, null),
    'creator.invitationWithdrawn.v1': (event) => decide(event, event.data.as),
    'creator.membershipEnded.v1': (event) => decide(event, 'transferred'),
    'creator.onboarded.v1': (event) => decide(event, null),
    'creator.returned.v1': (event) => decide(event, null),
  });
};
