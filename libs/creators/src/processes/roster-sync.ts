import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { roundContext } from '#jobs';
import {
  type AgencyId,
  Clock,
  type DueHandler,
  type DueOutcome,
  type Duration,
  NO_TIME_LIMIT,
  type StoredDueItem,
} from '#kernel';
import { SynchronizeRoster } from '../application/membership/synchronize-roster.js';
import { CreatorsOptions } from '../creators.options.js';

/** Keeps each agency's creators in step with the platform. */
@Injectable()
export class RosterSync implements DueHandler {
  readonly kind = 'rosterSync';
  readonly concurrency = 4;
  readonly ttl = NO_TIME_LIMIT;
  readonly longestWait: Duration;

  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly options: CreatorsOptions,
  ) {
    this.longestWait = options.syncEvery;
  }

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const command = new SynchronizeRoster(item.subject as AgencyId, roundContext(item));
    const synchronized = await this.commands.execute(command);
    if (synchronized.outcome === 'postponed') return { retryAt: synchronized.until };
    // Counted from its end, as it may take longer than that: the other agencies come before it begins again.
    return { retryAt: this.clock.now() + this.options.syncEvery };
  }
}
