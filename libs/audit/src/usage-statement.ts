import {
  type AgencyId,
  type EventLog,
  eventsOf,
  type Instant,
  invalidRequest,
  notFound,
  type RecordedEvent,
} from '#kernel';
import type { Seal, SealKey, SealPublicKey } from '#tamper-evidence';
import type { Month, Pricing } from '#usage';
import { isNamed, type Moment } from './moment.js';
import { type UsageDocument, usageDocument } from './usage-document.js';
import { viewFrom, visibleEventsOf } from './visible-events.js';

/**
 * The log behind a statement, without naming anything of other agencies (D110): how many events the log held up to the
 * last one that is covered, and the size and the root of the tree under the first seal over all of them.
 */
export interface StatedLog {
  readonly events: number;
  readonly size: number;
  readonly root: string;
}

/** Statements of version 1 may name an event of another agency. They are still checked. */
export interface StatedLogOfVersion1 {
  readonly last_event: Seal['statement']['through'];
  readonly events: number;
  readonly seal: Seal;
}

/** A month of usage in its signed form. The order of the members is fixed. */
export interface UsageStatement<Log = StatedLog> {
  readonly kind: 'usage_statement';
  readonly version: 1 | 2;
  readonly made_at: Instant;
  /** The requested moment and its time: the present, a time, or an event, which is the last one covered. */
  readonly as_of: { readonly kind: 'now' | Moment['kind']; readonly at: Instant };
  readonly explanation: UsageDocument;
  readonly log: Log;
  readonly key: string;
}

export interface SignedUsageStatement<Log = StatedLog> {
  readonly statement: UsageStatement<Log>;
  /** Ed25519 in base64url. */
  readonly signature: string;
}

export interface StatementRequest {
  readonly agencyId: AgencyId;
  readonly month: Month;
  readonly asOf?: Moment | undefined;
  readonly pricing: Pricing;
  readonly onShare?: OnShare | undefined;
}

/** Receives the part of the log that has been read, from 0 to 1. */
export type OnShare = (share: number) => unknown;

const EVENTS_PER_SHARE = 1_000;

async function* reporting(
  events: AsyncIterable<RecordedEvent>,
  total: number,
  onShare: OnShare = () => undefined,
): AsyncGenerator<RecordedEvent> {
  let read = 0;
  for await (const event of events) {
    if (++read % EVENTS_PER_SHARE === 0) await onShare(Math.min(1, read / total));
    yield event;
  }
}

/**
 * Explains a month from the log up to its newest seal, and signs that. `not_found` if the log has no such event or no
 * seal over it; `invalid_request` for a moment or a month in the future.
 */
export const signedStatement = async (
  log: EventLog,
  seals: readonly Seal[],
  { agencyId, month, asOf, pricing, onShare }: StatementRequest,
  now: Instant,
  key: SealKey,
): Promise<SignedUsageStatement> => {
  const newest = seals.at(-1);
  if (newest === undefined) throw notFound('the log', 'has no seal yet');
  const view = await viewFrom(log, asOf, month, now);
  const { count } = newest.statement;
  const read = reporting(eventsOf(log), count, onShare);
  const { last, events, intervals, since } = await visibleEventsOf(read, view, agencyId, count);
  if (last === undefined || (asOf?.kind === 'event' && !isNamed(last, asOf.eventId))) {
    throw invalidRequest({ field: 'as-of', message: 'must be a moment that a seal covers' });
  }
  const seal = seals.find(({ statement }) => statement.count >= events) ?? newest;
  const statement: UsageStatement = {
    kind: 'usage_statement',
    version: 2,
    made_at: now,
    as_of: { kind: asOf?.kind ?? 'now', at: view.at },
    explanation: usageDocument({ agencyId, month, at: view.at, intervals, since }, pricing),
    log: { events, size: seal.statement.count, root: seal.statement.root },
    key: key.publicKey.id,
  };
  return { statement, signature: key.sign(signedText(statement)) };
};

const signedText = (statement: UsageStatement<unknown>): string =>
  `usage_statement.v${statement.version}\n${JSON.stringify(statement)}`;

export const isStatementSignedBy = (
  { statement, signature }: SignedUsageStatement<unknown>,
  key: SealPublicKey,
): boolean => key.hasSigned(signedText(statement), signature);
