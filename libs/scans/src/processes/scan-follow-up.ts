import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import {
  type DueHandler,
  type DueOutcome,
  type Duration,
  NO_TIME_LIMIT,
  type ScanId,
  type StoredDueItem,
} from '#kernel';
import { AdvanceScan } from '../application/advance-scan.js';
import { EndSetAsideScan } from '../application/end-set-aside-scan.js';
import { ScansOptions } from '../scans.options.js';

/** Advances each pending scan until it has ended (D47, D48). */
@Injectable()
export class ScanFollowUp implements DueHandler {
  readonly kind = 'scan';
  readonly concurrency = 16;
  readonly ttl = NO_TIME_LIMIT;

  readonly longestWait: Duration;

  constructor(
    private readonly commands: CommandBus,
    { pollEvery }: ScansOptions,
  ) {
    this.longestWait = pollEvery;
  }

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new AdvanceScan(item.subject as ScanId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }

  async handleSetAside(item: StoredDueItem): Promise<DueOutcome> {
    const command = new EndSetAsideScan(item.subject as ScanId, dueContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
