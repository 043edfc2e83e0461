import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import { type DueHandler, type DueOutcome, NO_TIME_LIMIT, type ScanId, type StoredDueItem } from '#kernel';
import { AdvanceScan } from '../application/advance-scan.js';
import { EndSetAsideScan } from '../application/end-set-aside-scan.js';

/** Advances each pending scan until it has ended (D47, D48). */
@Injectable()
export class ScanFollowUp implements DueHandler {
  readonly kind = 'scan';
  readonly concurrency = 16;
  readonly ttl = NO_TIME_LIMIT;

  constructor(private readonly commands: CommandBus) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new AdvanceScan(item.subject as ScanId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }

  async handleSetAside(item: StoredDueItem): Promise<DueOutcome> {
    const command = new EndSetAsideScan(item.subject as ScanId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
