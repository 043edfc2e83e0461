import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  DomainError,
  DuplicateKey,
  type Duration,
  HOUR,
  type Instant,
  MAX_CLOCK_SKEW,
  MINUTE,
  SECOND,
} from '#kernel';
import { NO_TEXT, StatementTexts, type StoredText, USAGE_STATEMENT_PARTS } from './statement-texts.js';

/** How long a statement can be fetched after it was made. */
const STATEMENT_LIFETIME: Duration = 24 * HOUR;
const MAX_SWEPT = 100;
/** Seconds after which an agency that has asked for another statement may ask again. */
const RETRY_AFTER = 10;
/** How long after a statement was made it is not made again, because a worker reads the whole log for it. */
const REPEAT_INTERVAL: Duration = 10 * MINUTE;

/** Of one agency in any hour, failed ones too: each is one more seal, and one more reading of the whole log (D110). */
const MAX_PER_HOUR = 12;
/** What an agency can have asked for while it is kept. */
const MAX_KEPT = 26 * MAX_PER_HOUR;

/** A request for the signed statement of an agency's month. It is pending, then made or failed, and removed in the end. */
export interface UsageStatement extends Document, StoredText {
  readonly agencyId: AgencyId;
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  readonly requestedAt: Instant;
  readonly requestedBy: string;
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
  /** The agency while it is pending, because it has one pending at most; its own id afterwards. */
  readonly claim: string;
  readonly endedAt: Instant | null;
  /** Of the text; of a statement without one, when nobody sees any more that it has failed. */
  readonly expiresAt: Instant | null;
}

const USAGE_STATEMENTS: CollectionDefinition = {
  name: 'usage_statements',
  indexes: [
    { name: 'state', fields: ['state', 'requestedAt'] },
    { name: 'agency', fields: ['agencyId', 'requestedAt'] },
    { name: 'expiry', fields: ['expiresAt'] },
    { name: 'claim', fields: ['claim'], unique: true },
  ],
};

/** Statements that people asked for, which a worker makes. Not a read model: what is lost is asked for again. */
@Injectable()
export class UsageStatements {
  private readonly texts: StatementTexts;

  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {
    this.texts = new StatementTexts(documents);
  }

  ensure(): Promise<void> {
    return this.documents.ensure([USAGE_STATEMENTS, USAGE_STATEMENT_PARTS]);
  }

  /**
   * Asks for a month again, or for the first time; what was made before can be fetched until it is made again. An agency
   * has one pending statement at a time and twelve requests in any hour, and one that was made shortly before is not made
   * again: `rate_limited`.
   */
  async request(agencyId: AgencyId, month: string, requestedBy: string): Promise<UsageStatement> {
    await this.sweep();
    const pending = await this.pendingOf(agencyId, month);
    if (pending !== undefined) return pending;
    const now = this.clock.now();
    const requests = await this.newestOf(agencyId);
    const made = requests.find((each) => each.month === month && each.state === 'made');
    const wait = made === undefined ? 0 : REPEAT_INTERVAL - ageOf(made.endedAt ?? 0, now, MAX_CLOCK_SKEW);
    if (wait > 0) throw rateLimited(wait);
    const ages = requests.map(({ requestedAt }) => ageOf(requestedAt, now, MAX_CLOCK_SKEW)).filter((age) => age < HOUR);
    const twelfth = ages[MAX_PER_HOUR - 1];
    if (twelfth !== undefined) throw rateLimited(HOUR - twelfth);
    const asked: UsageStatement = {
      id: `${agencyId}:${month}:${randomUUID()}`,
      agencyId,
      month,
      state: 'pending',
      requestedAt: now,
      requestedBy,
      share: 0,
      claim: agencyId,
      ...NO_TEXT,
      endedAt: null,
      expiresAt: null,
    };
    try {
      await this.documents.compareAndSet(USAGE_STATEMENTS.name, asked, null);
    } catch (error) {
      if (!(error instanceof DuplicateKey)) throw error;
      const other = await this.pendingOf(agencyId, month);
      if (other === undefined) throw rateLimited(RETRY_AFTER * SECOND);
      return other;
    }
    return (await this.find(agencyId, month)) ?? asked;
  }

  /** The newest of each month, the newest first. */
  async ofAgency(agencyId: AgencyId): Promise<readonly UsageStatement[]> {
    const byMonth = Map.groupBy(await this.newestOf(agencyId), ({ month }) => month);
    return [...byMonth.values()].flatMap((ofMonth) => this.present(ofMonth) ?? []);
  }

  async find(agencyId: AgencyId, month: string): Promise<UsageStatement | undefined> {
    return this.present((await this.newestOf(agencyId)).filter((each) => each.month === month));
  }

  /** The text of a statement that was made; it breaks off if it is made again in between. */
  text(statement: UsageStatement): AsyncGenerator<string> {
    return this.texts.read(statement);
  }

  async nextPending(): Promise<UsageStatement | undefined> {
    const query = { index: 'state', equals: ['pending'], limit: 1 };
    return (await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query))[0];
  }

  async noteShare(statement: UsageStatement, share: number): Promise<void> {
    await this.replacePending({ ...statement, share });
  }

  async complete(statement: UsageStatement, text: string): Promise<void> {
    const earlier = (await this.newestOf(statement.agencyId)).filter(
      ({ month, parts }) => month === statement.month && parts > 0,
    );
    // Later than the statement itself.
    const made = await this.texts.put(text, statement.id, this.clock.now() + STATEMENT_LIFETIME + HOUR);
    const isMade = await this.replacePending({
      ...statement,
      ...made,
      ...this.end(statement),
      state: 'made',
      share: 1,
    });
    const unneeded = isMade ? earlier : [made];
    await this.documents.write([
      ...unneeded.map((text) => this.texts.removal(text)),
      // The requests still count.
      { collection: USAGE_STATEMENTS.name, put: isMade ? earlier.map((each) => ({ ...each, ...NO_TEXT })) : [] },
    ]);
  }

  /** What was made before can still be fetched. */
  async fail(statement: UsageStatement): Promise<void> {
    await this.replacePending({ ...statement, ...this.end(statement), state: 'failed' });
  }

  private end({ id }: UsageStatement): Pick<UsageStatement, 'claim' | 'endedAt' | 'expiresAt'> {
    const endedAt = this.clock.now();
    return { claim: id, endedAt, expiresAt: endedAt + STATEMENT_LIFETIME };
  }

  /** That of the month; `rate_limited` if the agency has another one. */
  private async pendingOf(agencyId: AgencyId, month: string): Promise<UsageStatement | undefined> {
    const query = { index: 'claim', equals: [agencyId], limit: 1 };
    const [pending] = await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query);
    if (pending !== undefined && pending.month !== month) throw rateLimited(RETRY_AFTER * SECOND);
    return pending && (await this.find(agencyId, month));
  }

  private newestOf(agencyId: AgencyId): Promise<UsageStatement[]> {
    return this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit: MAX_KEPT,
    });
  }

  private async sweep(): Promise<void> {
    const query = { index: 'expiry', gt: 0, lte: this.clock.now(), limit: MAX_SWEPT };
    const expired = await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query);
    await this.remove(expired.filter(({ state }) => state !== 'pending'));
    await this.texts.sweep(this.clock.now());
  }

  /** Those that have ended: none of them is ever pending again, so that no request can be removed (D110). */
  private async remove(ended: readonly UsageStatement[]): Promise<void> {
    for (const statement of ended) {
      await this.documents.write([
        this.texts.removal(statement),
        { collection: USAGE_STATEMENTS.name, remove: [statement.id] },
      ]);
    }
  }

  private replacePending(statement: UsageStatement): Promise<boolean> {
    return this.documents.compareAndSet(USAGE_STATEMENTS.name, statement, { state: 'pending' });
  }

  /** What people see of a month: the pending request or else the newest, and the text that an earlier one has made. */
  private present(ofMonth: readonly UsageStatement[]): UsageStatement | undefined {
    const now = this.clock.now();
    const kept = ofMonth.filter(({ expiresAt }) => expiresAt === null || !isExpired(expiresAt, now));
    // By its state, because the clock may have been set back since an earlier one was requested.
    const shown = kept.find(({ state }) => state === 'pending') ?? kept[0];
    const made = kept.find(({ parts }) => parts > 0);
    if (shown === undefined || made === undefined) return shown;
    const { textId, parts, bytes, expiresAt } = made;
    return { ...shown, textId, parts, bytes, expiresAt };
  }
}

const isExpired = (expiresAt: Instant, now: Instant): boolean =>
  ageOf(expiresAt - STATEMENT_LIFETIME, now, MAX_CLOCK_SKEW) >= STATEMENT_LIFETIME;

const rateLimited = (wait: Duration): DomainError =>
  new DomainError('rate_limited', { retryAfterSeconds: Math.ceil(wait / SECOND) });
