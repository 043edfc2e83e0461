import type { AgencyId, Duration, Instant } from '#kernel';

interface Spacing {
  /** The first retry comes after that. */
  readonly delay: Duration;
  /** Between two retries of one agency. */
  readonly interval: Duration;
  /** No retry comes later than that. */
  readonly maxDelay: Duration;
}

/** Spaces the retries of each agency: many of one agency come over a longer time, so that they do not delay the others. */
export class RetrySpacing {
  private readonly latest = new Map<AgencyId, Instant>();

  constructor(private readonly spacing: Spacing) {}

  /** Whether retries of the agency are still to come. */
  isWaiting(agencyId: AgencyId, now: Instant): boolean {
    const isWaiting = (this.latest.get(agencyId) ?? 0) > now;
    if (!isWaiting) this.latest.delete(agencyId);
    return isWaiting;
  }

  /** When the agency's next one may be tried again. */
  next(agencyId: AgencyId, now: Instant): Instant {
    const { delay, interval, maxDelay } = this.spacing;
    const latest = this.latest.get(agencyId) ?? 0;
    // The clock was set back: spaced from that one, all retries would come at the same moment.
    const isTooFarAhead = latest > now + maxDelay;
    const spaced = isTooFarAhead ? now + delay : Math.max(now + delay, latest + interval);
    const next = Math.min(spaced, now + maxDelay);
    this.latest.set(agencyId, next);
    return next;
  }
}
