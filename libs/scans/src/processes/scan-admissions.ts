import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type CreatorId, type DueHandler, type DueOutcome, MINUTE, type StoredDueItem } from '#kernel';
import { CompleteScanAdmission } from '../application/complete-scan-admission.js';
import { EndSetAsideAdmission } from '../application/end-set-aside-admission.js';

/** Completes admissions that a crash left without their scan. */
@Injectable()
export class ScanAdmissions implements DueHandler {
  readonly kind = 'admission';
  readonly concurrency = 8;
  readonly longestWait = MINUTE;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new CompleteScanAdmission(item.subject as CreatorId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }

  async handleSetAside(item: StoredDueItem): Promise<DueOutcome> {
    const command = new EndSetAsideAdmission(item.subject as CreatorId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
