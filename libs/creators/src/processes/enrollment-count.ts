import { Injectable } from '@nestjs/common';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { CreatorPorts } from '../application/access/creator-ports.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import { countAgain, reasonOfRelease, release } from '../domain/enrollment/roster-seats.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

/**
 * Counts the creator among the enrollments of its workspace, or stops counting it, by its current state (D31). So
 * neither a repeat nor an event that later ones have overtaken changes anything.
 */
@Injectable()
export class EnrollmentCount extends Reaction<CreatorEvent> {
  constructor(private readonly ports: CreatorPorts) {
    const count = (event: RecordedEvent<CreatorEvent>) => this.count(event);
    super(ENROLLMENT_COUNT, {
      // Its seat was released if its user had left before this, and has returned.
      'creator.enrolledByLink.v1': count,
      'creator.invitationRefused.v1': count,
      'creator.invitationSent.v1': count,
      'creator.invitationWithdrawn.v1': count,
      'creator.membershipEnded.v1': count,
      'creator.onboarded.v1': count,
      'creator.returned.v1': count,
    });
  }

  private async count({ id, stream, metadata }: RecordedEvent<CreatorEvent>): Promise<void> {
    const { workspaceId, correlationId } = metadata;
    if (workspaceId === null) return;
    const { repository, rosters } = this.ports;
    const creatorId = streamId(stream) as CreatorId;
    const [creator, counted] = await Promise.all([repository.load(creatorId), rosters.load(workspaceId)]);
    const { state, revision } = creator;
    if (state.status === 'unknown') return;
    const reason = reasonOfRelease(state);
    await rosters.update(counted, processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId }), (roster) =>
      reason === undefined ? countAgain(roster, creatorId) : release(roster, creatorId, reason, revision),
    );
  }
}
