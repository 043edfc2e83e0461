import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { CountEnrollmentAgain } from '../application/enrollment/count-enrollment-again.js';
import { ReleaseSeat } from '../application/enrollment/release-seat.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import type { SeatReleaseReason } from '../domain/enrollment/roster.events.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

/** Keeps the roster's count of enrollments in step with the outcome of each (D31). */
@Injectable()
export class EnrollmentCount extends Reaction<CreatorEvent> {
  constructor(private readonly commands: CommandBus) {
    super(ENROLLMENT_COUNT, {
      // Its seat was released if its user had left before this, and has returned.
      'creator.enrolledByLink.v1': (event) => this.countAgain(event),
      'creator.invitationRefused.v1': (event) => this.release(event, 'failed'),
      'creator.invitationSent.v1': (event) => this.countAgain(event),
      'creator.invitationWithdrawn.v1': (event) => this.release(event, event.data.as),
      'creator.membershipEnded.v1': (event) => this.release(event, 'transferred'),
      'creator.onboarded.v1': (event) => this.countAgain(event),
      'creator.returned.v1': (event) => this.countAgain(event),
    });
  }

  private async release(event: RecordedEvent<CreatorEvent>, reason: SeatReleaseReason): Promise<void> {
    const { creatorId, workspaceId, context } = seatOf(event);
    if (workspaceId === null) return;
    await this.commands.execute(new ReleaseSeat(creatorId, workspaceId, reason, event.revision, context));
  }

  private async countAgain(event: RecordedEvent<CreatorEvent>): Promise<void> {
    const { creatorId, workspaceId, context } = seatOf(event);
    if (workspaceId === null) return;
    await this.commands.execute(new CountEnrollmentAgain(creatorId, workspaceId, context));
  }
}

const seatOf = ({ id, stream, metadata: { workspaceId, correlationId } }: RecordedEvent<CreatorEvent>) => ({
  creatorId: streamId(stream) as CreatorId,
  workspaceId,
  context: processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId }),
});
