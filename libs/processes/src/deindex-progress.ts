import type { AgencyAccess } from '#agencies';
import type { Creators } from '#creators';
import { type Deindexing, isSettled, isUnderWay, type KnownDeindexRequest } from '#deindexing';
import {
  DAY,
  type DeindexRequestId,
  type DueHandler,
  type DueOutcome,
  type Duration,
  type Instant,
  SECOND,
  type StoredDueItem,
} from '#kernel';
import { deniedUntil } from './agency-gate.js';
import { dueContext } from './due-context.js';

const SOON: Duration = SECOND;
/** By then what is uncertain has been given up (D47), and what is not has usually been settled. */
const LONG_AGO: Duration = 4 * DAY;
const LOOKS_IN_AN_AGE = 24;

/** Takes each deindex request one step on: hands it over, settles what became of that, follows it to its end (D51). */
export class DeindexProgress implements DueHandler {
  readonly kind = 'deindex';
  readonly concurrency = 8;

  constructor(
    private readonly creators: Creators,
    private readonly deindexing: Deindexing,
    private readonly access: AgencyAccess,
    private readonly options: { readonly pollEvery: Duration; readonly providerTimeout: Duration },
  ) {}

  async handle(item: StoredDueItem, now: Instant): Promise<DueOutcome> {
    const requestId = item.subject as DeindexRequestId;
    const request = await this.deindexing.load(requestId);
    if (request.status === 'unknown' || isSettled(request)) return 'moved_on';
    const denied = await deniedUntil(this.access, request.agencyId, now);
    if (denied !== undefined) return { again: denied };
    // Nothing is handed over, nor asked, on behalf of an agency that has lost the creator; it may come back.
    const creator = await this.creators.load(request.creatorId);
    const isMember = creator.status === 'known' && creator.membership.status === 'current';
    if (!isMember) return { again: now + this.options.pollEvery };
    const settledBy = this.callSettledBy(request);
    if (now < settledBy) return { again: settledBy };

    const after = await this.deindexing.progress(requestId, dueContext(item));
    return isUnderWay(after) ? { again: now + this.pauseAfter(after.dispatchedAt, now) } : 'moved_on';
  }

  /** The call that was begun may still be under way. */
  private callSettledBy({ status, dispatchedAt }: KnownDeindexRequest): Instant {
    return status === 'dispatching' && dispatchedAt !== null ? dispatchedAt + 2 * this.options.providerTimeout : 0;
  }

  /**
   * Soon at first, and then ever less often: the older a request is, the less a moment matters. There are providers that
   * never say of a removal whether it holds; such a request is looked at once a day in the end.
   */
  private pauseAfter(dispatchedAt: Instant, now: Instant): Duration {
    const age = now - dispatchedAt;
    const often = Math.min(this.options.pollEvery, Math.max(SOON, age));
    return age < LONG_AGO ? often : Math.max(often, Math.min(age / LOOKS_IN_AN_AGE, DAY));
  }
}
