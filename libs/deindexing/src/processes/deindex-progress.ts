import { type AgencyAccess, deniedUntil } from '#agencies';
import { type Creators, type EnrolledCreator, hasLeft, isErased } from '#creators';
import { dueContext } from '#jobs';
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
import type { Deindexing } from '../application/deindexing.js';
import {
  type DeindexCancellation,
  type DeindexRequest,
  isSettled,
  isUnderWay,
  type KnownDeindexRequest,
} from '../domain/deindex-request.js';

const SOON: Duration = SECOND;
/** By then what is uncertain has been given up (D47), and what is not has usually been settled. */
const LONG_AGO: Duration = 4 * DAY;
const LOOKS_IN_AN_AGE = 24;

const cancellationOf = (creator: EnrolledCreator): DeindexCancellation =>
  isErased(creator) ? 'personal_data_erased' : 'membership_ended';

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
    const loaded = await this.deindexing.find(item.subject as DeindexRequestId);
    const { state: request } = loaded;
    if (request.status === 'unknown' || isSettled(request)) return 'idle';
    const creator = await this.creators.load(request.creatorId);
    if (creator.status === 'unknown') return 'idle';
    const context = dueContext(item);
    if (hasLeft(creator) && request.dispatchedAt === null) {
      await this.deindexing.conclude(loaded, cancellationOf(creator), context);
      return 'done';
    }
    const denied = await deniedUntil(this.access, request.agencyId, now);
    if (denied !== undefined) return { retryAt: denied };
    const settledBy = this.callSettledBy(request);
    if (now < settledBy) return { retryAt: settledBy };
    if (hasLeft(creator)) {
      const seen = await this.deindexing.conclude(loaded, cancellationOf(creator), context);
      // One that has left may return, and then asks whether the removal was verified; one that was erased does not (D72).
      return isErased(creator) && seen.status === 'completed' ? 'idle' : this.next(seen, now);
    }
    // Missing: it is seen again, or its membership ends.
    if (creator.membership.status !== 'current') return { retryAt: now + this.options.pollEvery };
    return this.next(await this.deindexing.progress(loaded, context), now);
  }

  private next(request: DeindexRequest, now: Instant): DueOutcome {
    if (isUnderWay(request)) return { retryAt: now + this.pauseAfter(request.dispatchedAt, now) };
    // D79: no provider is configured here.
    return isSettled(request) ? 'done' : { retryAt: now + MINUTE };
  }

  /** The call that was begun may still be under way, also where its answer was lost here. */
  private callSettledBy({ status, dispatchedAt, recordedAt }: KnownDeindexRequest): Instant {
    const isOpen = status === 'dispatching' || (status === 'uncertain' && recordedAt === null);
    return isOpen && dispatchedAt !== null ? dispatchedAt + 2 * this.options.providerTimeout : 0;
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
