import { type AgencyId, type Document, type Duration, HOUR, type Instant, MINUTE } from '#kernel';
import type { Person } from '../people/person.js';

const MAX_AGE: Duration = 8 * HOUR;
const MAX_IDLE: Duration = 30 * MINUTE;
/** The last use is written this often. */
const USE_PRECISION: Duration = MINUTE;
/** Claims of this age are renewed at the provider by the next request, */
const RENEW_AFTER: Duration = 10 * MINUTE;
/** and of this age they are not used any more. */
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
  /** Until then some process asks the provider for newer claims. */
  readonly renewingUntil: Instant;
  /** What the claims are renewed with, encrypted with a key that only the cookie yields. */
  readonly tokens: string;
}

export type SessionChange = Partial<Omit<SessionDocument, 'id' | 'version' | 'startedAt'>>;

export const endOf = ({ startedAt, usedAt }: Pick<SessionDocument, 'startedAt' | 'usedAt'>): Instant =>
  Math.min(startedAt + MAX_AGE, usedAt + MAX_IDLE);

export const hasEnded = (session: SessionDocument, now: Instant): boolean => now >= endOf(session);

export const isUseDue = ({ usedAt }: SessionDocument, now: Instant): boolean => now - usedAt >= USE_PRECISION;

export const claimsState = ({ claimsAt }: SessionDocument, now: Instant): 'fresh' | 'due' | 'stale' => {
  const age = now - claimsAt;
  if (age < RENEW_AFTER) return 'fresh';
  return age < MAX_CLAIMS_AGE ? 'due' : 'stale';
};
