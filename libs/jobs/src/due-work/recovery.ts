import { type Clock, type DueJobs, type Duration, type Instant, type OptionsOf, SECOND } from '#kernel';
import { isDeadLocalProcess } from '../leases/holder.js';
import { CLAIM_TTL, type Claim, type DueWork } from './due-work.js';

const CLAIM_CHECK_INTERVAL: Duration = SECOND;
const WAIT_CHECK_INTERVAL: Duration = 5 * SECOND;
/** The longest wait after a failure; no kind has a shorter longest wait. */
export const MAX_RETRY_DELAY: Duration = 300 * SECOND;

interface Observed {
  readonly claim: Claim;
  /** By `Clock.elapsed`: the claim has not changed since then. */
  readonly since: Duration;
}

/** It measures by the monotonic clock, because the wall clock of this process or of another one may be wrong (D93). */
export class Recovery {
  private observed = new Map<string, Observed>();
  /** The items of each kind that were made ready within its longest wait, the first one first, and when by `Clock.elapsed`. */
  private readonly hastened = new Map<string, Map<string, Duration>>();
  private readonly longestWaits: readonly (readonly [kind: string, longest: Duration])[];
  private nextClaimCheck: Duration = Number.NEGATIVE_INFINITY;
  private nextWaitCheck: Duration = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly work: DueWork,
    jobs: DueJobs,
    private readonly clock: Clock,
    optionsOf: OptionsOf,
  ) {
    this.longestWaits = Object.entries(jobs).map(([kind, { longestWait: wait }]) => [
      kind,
      Math.max(typeof wait === 'number' ? wait : wait(optionsOf), MAX_RETRY_DELAY),
    ]);
  }

  /** Does what is to be done by now; may be called at any rate. */
  async run(now: Instant): Promise<void> {
    const elapsed = this.clock.elapsed();
    if (elapsed >= this.nextClaimCheck) {
      this.nextClaimCheck = elapsed + CLAIM_CHECK_INTERVAL;
      await this.releaseClaims(now, elapsed);
    }
    if (elapsed >= this.nextWaitCheck) {
      this.nextWaitCheck = elapsed + WAIT_CHECK_INTERVAL;
      await Promise.all(this.longestWaits.map(([kind, longest]) => this.hasten(kind, longest, now, elapsed)));
    }
  }

  /** A claim ends when its process has died on this host, or when it has stayed unchanged for `CLAIM_TTL`. */
  private async releaseClaims(now: Instant, elapsed: Duration): Promise<void> {
    const seen = new Map<string, Observed>();
    // Cached, because the check whether a process is alive reads a file.
    const verdicts = new Map<string, boolean>();
    await this.work.releaseClaims((claim) => {
      const before = this.observed.get(claim.id);
      const observed = before !== undefined && isSame(before.claim, claim) ? before : { claim, since: elapsed };
      seen.set(claim.id, observed);
      if (elapsed - observed.since >= CLAIM_TTL) return true;
      const isDead = verdicts.get(claim.claimedBy) ?? isDeadLocalProcess(claim.claimedBy);
      verdicts.set(claim.claimedBy, isDead);
      return isDead;
    }, now);
    this.observed = seen;
  }

  /** At most once in the longest wait of its kind, because the clock of the process that plans it again may be wrong too. */
  private async hasten(kind: string, longest: Duration, now: Instant, elapsed: Duration): Promise<void> {
    const before = this.hastened.get(kind) ?? new Map<string, Duration>();
    this.hastened.set(kind, before);
    for (const [id, at] of before) {
      if (elapsed - at < longest) break;
      before.delete(id);
    }
    for (const id of await this.work.hasten(kind, now + longest, now, before)) before.set(id, elapsed);
  }
}

const isSame = (one: Claim, other: Claim): boolean =>
  one.position === other.position && one.claims === other.claims && one.readyAt === other.readyAt;
