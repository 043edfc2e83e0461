import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Reaction } from '#jobs';
import { type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import { CountEnrollment } from '../application/enrollment/count-enrollment.js';
import type { CreatorEvent } from '../domain/creator.events.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

/** Keeps the roster's count of enrollments in step with the outcome of each (D31). */
@Injectable()
export class EnrollmentCount extends Reaction<CreatorEvent> {
  constructor(private readonly commands: CommandBus) {
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
    const context = processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId });
    await this.commands.execute(new CountEnrollment(streamId(stream) as CreatorId, workspaceId, context));
  }
}
