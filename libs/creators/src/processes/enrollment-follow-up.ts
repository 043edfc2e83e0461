import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type CreatorId, DAY, type DueHandler, type DueOutcome, type StoredDueItem } from '#kernel';
import { AdvanceEnrollment } from '../application/enrollment/advance-enrollment.js';
import { EndSetAsideEnrollment } from '../application/enrollment/end-set-aside-enrollment.js';

/** Finishes enrollments: after a crash, unknown outcomes, pending invitations, identities to write. */
@Injectable()
export class EnrollmentFollowUp implements DueHandler {
  readonly kind = 'enrollment';
  readonly concurrency = 8;
  /** A seat is asked about once a day when its user stays away. */
  readonly longestWait = DAY;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const { subject, workspaceId, dueAt } = item;
    const command = new AdvanceEnrollment(subject as CreatorId, workspaceId, dueAt, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }

  async handleSetAside(item: StoredDueItem): Promise<DueOutcome> {
    const { subject, workspaceId, dueAt } = item;
    const command = new EndSetAsideEnrollment(subject as CreatorId, workspaceId, dueAt, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
