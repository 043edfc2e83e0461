import { Injectable } from '@nestjs/common';
import { Reaction } from '#jobs';
import { CommandRunner, type CreatorId, processContext, type RecordedEvent, streamId } from '#kernel';
import type { CreatorEvent } from '../domain/creator.events.js';
import { rosterDecider } from '../domain/enrollment/roster.js';
import { countAgain, release } from '../domain/enrollment/roster-seats.js';

export const ENROLLMENT_COUNT = 'enrollment-count';

type Reason = Parameters<typeof release>[2];

/** Keeps the roster's count of enrollments in step with how each of them went on (D31). */
@Injectable()
export class EnrollmentCount extends Reaction<CreatorEvent> {
  constructor(private readonly runner: CommandRunner) {
    super(ENROLLMENT_COUNT, {
      // Its place was given back where its user had left before this, and has returned.
      'creator.enrolledByLink.v1': (event) => this.count(event, null),
      'creator.invitationRefused.v1': (event) => this.count(event, 'failed'),
      'creator.invitationSent.v1': (event) => this.count(event, null),
      'creator.invitationWithdrawn.v1': (event) => this.count(event, event.data.as),
      'creator.membershipEnded.v1': (event) => this.count(event, 'transferred'),
      'creator.onboarded.v1': (event) => this.count(event, null),
      'creator.returned.v1': (event) => this.count(event, null),
    });
  }

  /** Gives the creator's place back for the reason; with null it is counted again. */
  private async count(event: RecordedEvent<CreatorEvent>, reason: Reason | null): Promise<void> {
    const { id, stream, revision, metadata } = event;
    const { workspaceId, correlationId } = metadata;
    if (workspaceId === null) return;
    const creatorId = streamId(stream) as CreatorId;
    const context = processContext(ENROLLMENT_COUNT, workspaceId, { id, correlationId });
    await this.runner.run(rosterDecider, workspaceId, context, (roster) =>
      reason === null ? countAgain(roster, creatorId) : release(roster, creatorId, reason, revision),
    );
  }
}
