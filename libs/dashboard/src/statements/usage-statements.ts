import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  Clock,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  DomainError,
  DuplicateKey,
  type Duration,
  HOUR,
  type Instant,
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

/** Of different months for one agency in an hour: a year's. Each is one more seal, and one more reading of the whole log. */
const MAX_PER_HOUR = 12;

/** A request for the signed statement of an agency's month. Its id: `<agency>:<month>`. */
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
   * has one pending statement at a time and twelve in an hour, and one that was made shortly before is not made again:
   * `rate_limited`.
   */
  async request(agencyId: AgencyId, month: string, requestedBy: string): Promise<UsageStatement> {
    await this.sweep();
    const id = idOf(agencyId, month);
    const before = await this.documents.get<UsageStatement>(USAGE_STATEMENTS.name, id);
    if (before?.state === 'pending') return before;
    const repeatableAt = before?.state === 'made' ? (before.endedAt ?? 0) + REPEAT_INTERVAL : 0;
    const wait = Math.max(repeatableAt, await this.freeAt(agencyId)) - this.clock.now();
    if (wait > 0) throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil(wait / SECOND) });
    const asked: UsageStatement = {
      id,
      agencyId,
      month,
      state: 'pending',
      requestedAt: this.clock.now(),
      requestedBy,
      share: 0,
      claim: agencyId,
      ...textOf(before && this.present(before)),
      endedAt: null,
    };
    if (await this.ask(asked, before)) return asked;
    const other = await this.find(agencyId, month);
    if (other?.state === 'pending') return other;
    throw new DomainError('rate_limited', { retryAfterSeconds: RETRY_AFTER });
  }

  /** The newest first. */
  async ofAgency(agencyId: AgencyId): Promise<readonly UsageStatement[]> {
    const found = await this.newestOf(agencyId, MAX_SWEPT);
    return found.flatMap((statement) => this.present(statement) ?? []);
  }

  async find(agencyId: AgencyId, month: string): Promise<UsageStatement | undefined> {
    const found = await this.documents.get<UsageStatement>(USAGE_STATEMENTS.name, idOf(agencyId, month));
    return found && this.present(found);
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
    await this.replace(statement, { share });
  }

  async complete(statement: UsageStatement, text: string): Promise<void> {
    // Later than the statement itself.
    const made = await this.texts.put(text, statement.id, this.clock.now() + STATEMENT_LIFETIME + HOUR);
    const endedAt = this.clock.now();
    const end = { state: 'made', claim: statement.id, endedAt, expiresAt: endedAt + STATEMENT_LIFETIME } as const;
    const isMade = await this.replace(statement, { ...end, ...made, share: 1 });
    await this.documents.write([this.texts.removal(isMade ? statement : made)]);
  }

  /** What was made before can still be fetched. */
  async fail(statement: UsageStatement): Promise<void> {
    const endedAt = this.clock.now();
    const text = textOf(this.present(statement));
    const expiresAt = text.expiresAt ?? endedAt + STATEMENT_LIFETIME;
    await this.replace(statement, { ...text, state: 'failed', claim: statement.id, endedAt, expiresAt });
  }

  /** When the agency has not asked for too many months within an hour. */
  private async freeAt(agencyId: AgencyId): Promise<Instant> {
    const last = (await this.newestOf(agencyId, MAX_PER_HOUR))[MAX_PER_HOUR - 1];
    return last === undefined ? 0 : last.requestedAt + HOUR;
  }

  private newestOf(agencyId: AgencyId, limit: number): Promise<UsageStatement[]> {
    return this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit,
    });
  }

  /** Unless somebody else has asked for it since, or the agency has another pending one. */
  private async ask(asked: UsageStatement, before: UsageStatement | undefined): Promise<boolean> {
    const expected = before === undefined ? null : { state: before.state, requestedAt: before.requestedAt };
    try {
      return await this.documents.compareAndSet(USAGE_STATEMENTS.name, asked, expected);
    } catch (error) {
      if (error instanceof DuplicateKey) return false;
      throw error;
    }
  }

  private async sweep(): Promise<void> {
    const query = { index: 'expiry', gt: 0, lte: this.clock.now(), limit: MAX_SWEPT };
    const expired = await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query);
    for (const statement of expired) {
      if (statement.state === 'pending') continue;
      await this.documents.write([
        this.texts.removal(statement),
        { collection: USAGE_STATEMENTS.name, remove: [statement.id] },
      ]);
    }
    await this.texts.sweep(this.clock.now());
  }

  /** Unless the statement has ended, or was asked for again since. */
  private replace(statement: UsageStatement, change: Partial<UsageStatement>): Promise<boolean> {
    const { requestedAt } = statement;
    const changed = { ...statement, ...change };
    return this.documents.compareAndSet(USAGE_STATEMENTS.name, changed, { state: 'pending', requestedAt });
  }

  /** What people see of it: nothing after it has expired, and of a pending one not the earlier text that has. */
  private present(statement: UsageStatement): UsageStatement | undefined {
    const { state, expiresAt } = statement;
    if (expiresAt === null || expiresAt > this.clock.now()) return statement;
    return state === 'pending' ? { ...statement, ...NOTHING } : undefined;
  }
}

const idOf = (agencyId: AgencyId, month: string): string => `${agencyId}:${month}`;

const NOTHING = { ...NO_TEXT, expiresAt: null };

/** Whose text can be fetched. */
const textOf = (statement: UsageStatement | undefined): StoredText & Pick<UsageStatement, 'expiresAt'> => {
  if (statement === undefined || statement.parts === 0) return NOTHING;
  const { textId, parts, bytes, expiresAt } = statement;
  return { textId, parts, bytes, expiresAt };
};
