import {
  type AgencyId,
  ageOf,
  type Document,
  type Duration,
  HOUR,
  type Instant,
  MAX_CLOCK_SKEW,
  MINUTE,
} from '#kernel';
import type { Person } from '../people/person.js';

const MAX_AGE: Duration = 8 * HOUR;
const MAX_IDLE: Duration = 30 * MINUTE;
/** The last use is written this often. */
const USE_PRECISION: Duration = MINUTE;
/** The next request renews claims of this age at the provider. */
const RENEW_AFTER: Duration = 10 * MINUTE;
/** Claims of this age are refused. */
const MAX_CLAIMS_AGE: Duration = 15 * MINUTE;

/** A session as it is stored. Its id is the SHA-256 of the secret in the cookie. */
export interface SessionDocument extends Document {
  /** Grows with each change. */
  readonly version: number;
  readonly person: Person;
  /** The agencies whose owner the person was found to be. */
  readonly owned: readonly AgencyId[];
  readonly startedAt: Instant;
  readonly usedAt: Instant;
  readonly endsAt: Instant;
  readonly claimsAt: Instant;
  /** Until then, some process asks the provider for newer claims. */
  readonly renewingUntil: Instant;
  /** The provider's tokens, encrypted with a key that derives from the cookie. */
  readonly tokens: string;
}

export type SessionChange = Partial<Omit<SessionDocument, 'id' | 'version' | 'startedAt'>>;

/** Limits a renewal by one process. A refresh token that two of them use would end the session at the provider. */
const RENEWAL_TIME: Duration = MINUTE;

export const endOf = ({ startedAt, usedAt }: Pick<SessionDocument, 'startedAt' | 'usedAt'>): Instant =>
  Math.min(startedAt + MAX_AGE, usedAt + MAX_IDLE);

export const hasEnded = ({ startedAt, usedAt }: SessionDocument, now: Instant): boolean =>
  age(startedAt, now) >= MAX_AGE || age(usedAt, now) >= MAX_IDLE;

export const isUseDue = ({ usedAt }: SessionDocument, now: Instant): boolean => age(usedAt, now) >= USE_PRECISION;

export const isRenewing = ({ renewingUntil }: SessionDocument, now: Instant): boolean =>
  age(renewingUntil - RENEWAL_TIME, now) < RENEWAL_TIME;

export const startRenewal = (now: Instant): SessionChange => ({ renewingUntil: now + RENEWAL_TIME });

export const claimsState = ({ claimsAt }: SessionDocument, now: Instant): 'fresh' | 'due' | 'stale' => {
  const claimsAge = age(claimsAt, now);
  if (claimsAge < RENEW_AFTER) return 'fresh';
  return claimsAge < MAX_CLAIMS_AGE ? 'due' : 'stale';
};

/** Several API processes record the times of a session. */
const age = (at: Instant, now: Instant): Duration => ageOf(at, now, MAX_CLOCK_SKEW);
