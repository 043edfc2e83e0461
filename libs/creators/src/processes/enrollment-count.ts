import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { CountEnrollment } from '../application/enrollment/count-enrollment.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import type { SeatReleaseReason } from '../domain/enrollment/roster.events.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

/** Keeps the roster's count of enrollments in step with the outcome of each (D31). */
@Injectable()
export class EnrollmentCount extends Reaction<CreatorEvent> {
  constructor(private readonly commands: CommandBus) {
    super(ENROLLMENT_COUNT, {
      // Its seat was released if its user had left before this, and has returned.
      'creator.enrolledByLink.v1': (event) => this.count(event),
      'creator.invitationRefused.v1': (event) => this.count(event, 'failed'),
      'creator.invitationSent.v1': (event) => this.count(event),
      'creator.invitationWithdrawn.v1': (event) => this.count(event, event.data.as),
      'creator.membershipEnded.v1': (event) => this.count(event, 'transferred'),
      'creator.onboarded.v1': (event) => this.count(event),
      'creator.returned.v1': (event) => this.count(event),
    });
  }

  private async count(
    { id, stream, revision, metadata: { workspaceId, correlationId } }: RecordedEvent<CreatorEvent>,
    reason?: SeatReleaseReason,
  ): Promise<void> {
    if (workspaceId === null) return;
    const creatorId = streamId(stream) as CreatorId;
    const context = processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId });
    const released = reason && { reason, revision };
    await this.commands.execute(new CountEnrollment(creatorId, workspaceId, released, context));
  }
}
