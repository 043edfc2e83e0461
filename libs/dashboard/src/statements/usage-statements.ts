import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  Clock,
  type CollectionDefinition,
  type Document,
  DocumentStore,
  DomainError,
  type Duration,
  HOUR,
  type Instant,
} from '#kernel';

/** How long a statement can be fetched after it was made. */
const STATEMENT_LIFETIME: Duration = 24 * HOUR;
/** In characters. A document store bounds a document, and a statement has no bound. */
const PART_LENGTH = 256 * 1024;
const MAX_SWEPT = 100;
/** Seconds after which an agency that has asked for another statement may ask again. */
const RETRY_AFTER = 10;

/** A request for the signed statement of an agency's month. Its id: `<agency>:<month>`. */
export interface UsageStatement extends Document {
  readonly agencyId: AgencyId;
  readonly month: string;
  readonly state: 'pending' | 'made' | 'failed';
  readonly requestedAt: Instant;
  readonly requestedBy: string;
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
  /** How many parts its text has, and the length of the text in UTF-8 bytes; 0 until it is made. */
  readonly parts: number;
  readonly bytes: number;
  readonly endedAt: Instant | null;
  readonly expiresAt: Instant | null;
}

interface StatementPart extends Document {
  readonly text: string;
}

const USAGE_STATEMENTS: CollectionDefinition = {
  name: 'usage_statements',
  indexes: [
    { name: 'state', fields: ['state', 'requestedAt'] },
    { name: 'agency', fields: ['agencyId', 'requestedAt'] },
    { name: 'expiry', fields: ['expiresAt'] },
  ],
};
const USAGE_STATEMENT_PARTS: CollectionDefinition = { name: 'usage_statement_parts', indexes: [] };

/** Statements that people asked for, which a worker makes. Not a read model: what is lost is asked for again. */
@Injectable()
export class UsageStatements {
  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  ensure(): Promise<void> {
    return this.documents.ensure([USAGE_STATEMENTS, USAGE_STATEMENT_PARTS]);
  }

  /** Asks for a month again, or for the first time. An agency has one pending statement at a time: `rate_limited`. */
  async request(agencyId: AgencyId, month: string, requestedBy: string): Promise<UsageStatement> {
    const pending = (await this.ofAgency(agencyId)).find(({ state }) => state === 'pending');
    if (pending?.month === month) return pending;
    if (pending !== undefined) throw new DomainError('rate_limited', { retryAfterSeconds: RETRY_AFTER });
    await this.sweep();
    const before = await this.find(agencyId, month);
    const asked: UsageStatement = {
      id: idOf(agencyId, month),
      agencyId,
      month,
      state: 'pending',
      requestedAt: this.clock.now(),
      requestedBy,
      share: 0,
      parts: 0,
      bytes: 0,
      endedAt: null,
      expiresAt: null,
    };
    await this.documents.write([
      { collection: USAGE_STATEMENT_PARTS.name, remove: before === undefined ? [] : partIdsOf(before) },
      { collection: USAGE_STATEMENTS.name, put: [asked] },
    ]);
    return asked;
  }

  /** The newest first. */
  async ofAgency(agencyId: AgencyId): Promise<readonly UsageStatement[]> {
    const found = await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, {
      index: 'agency',
      equals: [agencyId],
      order: 'descending',
      limit: MAX_SWEPT,
    });
    return found.filter((statement) => !this.hasExpired(statement));
  }

  async find(agencyId: AgencyId, month: string): Promise<UsageStatement | undefined> {
    const found = await this.documents.get<UsageStatement>(USAGE_STATEMENTS.name, idOf(agencyId, month));
    return found === undefined || this.hasExpired(found) ? undefined : found;
  }

  /** The text of a statement that was made; empty of one that was asked for again in between. */
  async *text(statement: UsageStatement): AsyncGenerator<string> {
    for (const id of partIdsOf(statement)) {
      const part = await this.documents.get<StatementPart>(USAGE_STATEMENT_PARTS.name, id);
      if (part === undefined) return;
      yield part.text;
    }
  }

  async nextPending(): Promise<UsageStatement | undefined> {
    const query = { index: 'state', equals: ['pending'], limit: 1 };
    return (await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query))[0];
  }

  async noteShare(statement: UsageStatement, share: number): Promise<void> {
    await this.replace(statement, { share });
  }

  async complete(statement: UsageStatement, text: string): Promise<void> {
    const texts = Array.from({ length: Math.ceil(text.length / PART_LENGTH) }, (_, part) =>
      text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH),
    );
    const made = { parts: texts.length, bytes: Buffer.byteLength(text) };
    const ids = partIdsOf({ ...statement, ...made });
    for (const [part, id] of ids.entries()) {
      await this.documents.write([{ collection: USAGE_STATEMENT_PARTS.name, put: [partOf(id, texts[part] ?? '')] }]);
    }
    await this.replace(statement, { ...this.ended('made'), ...made, share: 1 });
  }

  async fail(statement: UsageStatement): Promise<void> {
    await this.replace(statement, this.ended('failed'));
  }

  private async sweep(): Promise<void> {
    const query = { index: 'expiry', gt: 0, lte: this.clock.now(), limit: MAX_SWEPT };
    const expired = await this.documents.find<UsageStatement>(USAGE_STATEMENTS.name, query);
    for (const statement of expired) {
      await this.documents.write([
        { collection: USAGE_STATEMENT_PARTS.name, remove: partIdsOf(statement) },
        { collection: USAGE_STATEMENTS.name, remove: [statement.id] },
      ]);
    }
  }

  private ended(state: 'made' | 'failed') {
    const endedAt = this.clock.now();
    return { state, endedAt, expiresAt: endedAt + STATEMENT_LIFETIME };
  }

  /** Unless the statement was asked for again since. */
  private async replace(statement: UsageStatement, change: Partial<UsageStatement>): Promise<void> {
    const { requestedAt } = statement;
    const changed = { ...statement, ...change };
    await this.documents.compareAndSet(USAGE_STATEMENTS.name, changed, { state: 'pending', requestedAt });
  }

  private hasExpired({ expiresAt }: UsageStatement): boolean {
    return expiresAt !== null && expiresAt <= this.clock.now();
  }
}

const idOf = (agencyId: AgencyId, month: string): string => `${agencyId}:${month}`;

const partIdsOf = ({ id, requestedAt, parts }: Pick<UsageStatement, 'id' | 'requestedAt' | 'parts'>): string[] =>
  Array.from({ length: parts }, (_, part) => `${id}:${requestedAt}:${part}`);

const partOf = (id: string, text: string): StatementPart => ({ id, text });
