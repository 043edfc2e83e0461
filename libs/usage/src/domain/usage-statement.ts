import {
  ageOf,
  type Decider,
  DomainError,
  type Duration,
  HOUR,
  type Instant,
  MAX_CLOCK_SKEW,
  MINUTE,
  SECOND,
  unknownEvent,
} from '#kernel';

const RETRY_AFTER = 10;
/** For how long a statement is not made again, because a worker reads the whole log for it. */
const REPEAT_INTERVAL: Duration = 10 * MINUTE;
/** Limits an agency's statements in any hour, failed ones included: each makes a seal and reads the whole log (D110). */
const MAX_PER_HOUR = 12;
/** As many as an agency can request before the oldest text expires. */
const MAX_KEPT = 26 * MAX_PER_HOUR;

export interface StoredText {
  /** How the ids of its parts begin; null without a text. */
  readonly textId: string | null;
  readonly parts: number;
  readonly bytes: number;
}

export const NO_TEXT: StoredText = { textId: null, parts: 0, bytes: 0 };

/** The text of a statement that was made, until the month is made again. */
export interface UsageStatement extends StoredText {
  readonly statementId: string;
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  readonly requestedAt: Instant;
  readonly endedAt: Instant | null;
}

/** An agency's statements, the newest first; only the first can be pending. */
export type StatementsOfAgency = readonly UsageStatement[];

/** Times are the clock's, because those of a stream stay ahead after a clock was ahead (D111). */
export type UsageStatementEvent =
  | {
      readonly type: 'usageStatement.requested.v1';
      readonly data: { readonly statementId: string; readonly month: string; readonly requestedAt: Instant };
    }
  | {
      readonly type: 'usageStatement.made.v1';
      readonly data: { readonly statementId: string; readonly endedAt: Instant; readonly text: StoredText };
    }
  | {
      readonly type: 'usageStatement.failed.v1';
      readonly data: { readonly statementId: string; readonly endedAt: Instant };
    };

export const usageStatementDecider: Decider<StatementsOfAgency, UsageStatementEvent> = {
  category: 'usageStatement',
  initial: [],
  evolve: (statements, event) => {
    switch (event.type) {
      case 'usageStatement.requested.v1':
        return [{ ...event.data, ...NO_TEXT, state: 'pending' as const, endedAt: null }, ...statements].slice(
          0,
          MAX_KEPT,
        );
      case 'usageStatement.made.v1': {
        const { statementId, endedAt, text } = event.data;
        const month = statements.find((each) => each.statementId === statementId)?.month;
        return statements.map((each) => {
          if (each.statementId === statementId) return { ...each, ...text, state: 'made', endedAt };
          return each.month === month ? { ...each, ...NO_TEXT } : each;
        });
      }
      case 'usageStatement.failed.v1': {
        const { statementId, endedAt } = event.data;
        return statements.map((each) =>
          each.statementId === statementId ? { ...each, state: 'failed' as const, endedAt } : each,
        );
      }
      default:
        return unknownEvent(event, statements);
    }
  },
};

export const pendingOf = (statements: StatementsOfAgency): UsageStatement | undefined =>
  statements.find(({ state }) => state === 'pending');

/**
 * An agency has one pending statement at a time and twelve requests in any hour, and one that was made shortly before is
 * not made again: `rate_limited`. A repeat of what is pending changes nothing.
 */
export function requestStatement(
  statements: StatementsOfAgency,
  requested: { readonly statementId: string; readonly month: string },
  now: Instant,
): UsageStatementEvent[] {
  const pending = pendingOf(statements);
  if (pending?.month === requested.month) return [];
  if (pending !== undefined) throw rateLimited(RETRY_AFTER * SECOND);
  const made = statements.find(({ month, state }) => month === requested.month && state === 'made');
  const wait = made === undefined ? 0 : REPEAT_INTERVAL - ageOf(made.endedAt ?? 0, now, MAX_CLOCK_SKEW);
  if (wait > 0) throw rateLimited(wait);
  const ages = statements.map(({ requestedAt }) => ageOf(requestedAt, now, MAX_CLOCK_SKEW)).filter((age) => age < HOUR);
  const twelfth = ages[MAX_PER_HOUR - 1];
  if (twelfth !== undefined) throw rateLimited(HOUR - twelfth);
  return [{ type: 'usageStatement.requested.v1', data: { ...requested, requestedAt: now } }];
}

/** Without a text it has failed: what was made before can still be fetched. */
export function endStatement(
  statements: StatementsOfAgency,
  statementId: string,
  endedAt: Instant,
  text?: StoredText,
): UsageStatementEvent[] {
  if (pendingOf(statements)?.statementId !== statementId) return [];
  return text === undefined
    ? [{ type: 'usageStatement.failed.v1', data: { statementId, endedAt } }]
    : [{ type: 'usageStatement.made.v1', data: { statementId, endedAt, text } }];
}

const rateLimited = (wait: Duration): DomainError =>
  new DomainError('rate_limited', { retryAfterSeconds: Math.ceil(wait / SECOND) });
