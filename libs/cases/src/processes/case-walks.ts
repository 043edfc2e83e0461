import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CASE_WALK } from '#creators';
import { dueOutcomeOf, roundContext } from '#jobs';
import {
  Clock,
  type CreatorId,
  type DueHandler,
  type DueOutcome,
  type Duration,
  NO_TIME_LIMIT,
  type StoredDueItem,
} from '#kernel';
import { WalkMemberRecords } from '../application/walk-member-records.js';
import { CasesOptions } from '../cases.options.js';

/** Walks the platform's records of each creator, again and again: only a walk observes that a case is gone (D50). */
@Injectable()
export class CaseWalks implements DueHandler {
  readonly kind = CASE_WALK;
  readonly concurrency = 8;
  readonly ttl = NO_TIME_LIMIT;
  readonly longestWait: Duration;

  constructor(
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly options: CasesOptions,
  ) {
    this.longestWait = options.walkEvery;
  }

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const step = await this.commands.execute(new WalkMemberRecords(item.subject as CreatorId, roundContext(item)));
    if (step.outcome !== 'walked') return dueOutcomeOf(step);
    // Counted from its end, as a walk may take longer than that: other creators come before it begins again.
    return { retryAt: this.clock.now() + this.options.walkEvery };
  }
}
