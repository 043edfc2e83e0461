import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueOutcomeOf, roundContext } from '#jobs';
import type { CreatorId, DueHandler, DueOutcome, Duration, StoredDueItem } from '#kernel';
import { QueueScheduledScan } from '../application/queue-scheduled-scan.js';
import { ScansOptions } from '../scans.options.js';

/** Queues a scan for each active creator when it is due (D49). */
@Injectable()
export class ScheduledScans implements DueHandler {
  readonly kind = 'scheduledScan';
  readonly concurrency = 8;

  readonly longestWait: Duration;

  constructor(
    private readonly commands: CommandBus,
    { scheduleEvery }: ScansOptions,
  ) {
    this.longestWait = scheduleEvery;
  }

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new QueueScheduledScan(item.subject as CreatorId, item.plannedFor, roundContext(item));
    return dueOutcomeOf(await this.commands.execute(command));
  }
}
