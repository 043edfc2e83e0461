import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { dueContext, dueOutcomeOf } from '#jobs';
import {
  DAY,
  type DeindexRequestId,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type Instant,
  MINUTE,
  SECOND,
  type StoredDueItem,
} from '#kernel';
import { AdvanceDeindexRequest } from '../application/advance-deindex-request.js';
import { DeindexingOptions } from '../deindexing.options.js';
import { type DeindexRequest, isFinished, isUnderWay } from '../domain/deindex-request.js';

const FIRST_POLL_INTERVAL: Duration = SECOND;
/** By then an uncertain request has failed (D47), and most others are finished. */
const OLD_AFTER: Duration = 4 * DAY;
const POLLS_IN_ITS_AGE = 24;
/** D79: another worker, or this one after a restart, may have a provider. */
const RETRY_WITHOUT_PROVIDER: Duration = MINUTE;

/** Advances each deindex request until it is finished (D51). */
@Injectable()
export class DeindexFollowUp implements DueHandler {
  readonly kind = 'deindex';
  readonly concurrency = 8;

  constructor(
    private readonly commands: CommandBus,
    private readonly options: DeindexingOptions,
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const command = new AdvanceDeindexRequest(item.subject as DeindexRequestId, dueContext(item));
    const step = await this.commands.execute(command);
    return step.outcome === 'advanced' ? this.afterStep(step.request, now) : dueOutcomeOf(step);
  }

  private afterStep(request: DeindexRequest, now: Instant): DueOutcome {
    if (isUnderWay(request)) return { retryAt: now + this.pollInterval(now - request.dispatchedAt) };
    return isFinished(request) ? 'done' : { retryAt: now + RETRY_WITHOUT_PROVIDER };
  }

  /**
   * The older a request is, the longer the interval. Some providers never say whether a removal holds; such a request
   * is polled once a day in the end.
   */
  private pollInterval(age: Duration): Duration {
    const interval = Math.min(this.options.pollEvery, Math.max(FIRST_POLL_INTERVAL, age));
    return age < OLD_AFTER ? interval : Math.max(interval, Math.min(age / POLLS_IN_ITS_AGE, DAY));
  }
}
