import { Injectable } from '@nestjs/common';
import { immediately, noLonger, TaskCommand, type TaskRules } from '#jobs';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CollectionDefinition,
  type CommandContext,
  CommandRunner,
  type Document,
  DocumentStore,
  type Duration,
  HOUR,
  type Instant,
  MAX_CLOCK_SKEW,
  newEventId,
  Repository,
} from '#kernel';
import {
  endStatement,
  pendingOf,
  requestStatement,
  type StatementsOfAgency,
  type StoredText,
  type UsageStatement,
  type UsageStatementEvent,
  usageStatementDecider,
} from '../domain/usage-statement.js';

/** In characters. A document store bounds a document, and a statement has no bound. */
const PART_LENGTH = 256 * 1024;
const MAX_SWEPT = 100;

export interface TextPart extends Document {
  readonly text: string;
  readonly expiresAt: Instant;
}

export interface Share extends Document {
  readonly share: number;
  readonly expiresAt: Instant;
}

export const USAGE_STATEMENT_PARTS: CollectionDefinition = {
  name: 'usage_statement_parts',
  indexes: [{ name: 'expiry', fields: ['expiresAt'] }],
};
const { name: PARTS } = USAGE_STATEMENT_PARTS;

class StatementTexts {
  constructor(private readonly documents: DocumentStore) {}

  /** A text that nobody refers to, such as after a kill, expires. */
  async put(text: string, name: string, expiresAt: Instant): Promise<StoredText> {
    const parts = Math.ceil(text.length / PART_LENGTH);
    const stored = { textId: `${name}:${newEventId()}`, parts, bytes: Buffer.byteLength(text) };
    for (const [part, id] of partIdsOf(stored).entries()) {
      const put: TextPart = { id, text: text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH), expiresAt };
      await this.documents.write([{ collection: PARTS, put: [put] }]);
    }
    return stored;
  }

  /** Breaks off if the text is removed in between. */
  async *read(stored: StoredText): AsyncGenerator<string> {
    for (const id of partIdsOf(stored)) {
      const part = await this.documents.get<TextPart>(PARTS, id);
      if (part === undefined) return;
      yield part.text;
    }
  }

  async remove(stored: StoredText): Promise<void> {
    await this.documents.write([{ collection: PARTS, remove: partIdsOf(stored) }]);
  }

  async noteShare(name: string, share: number, expiresAt: Instant): Promise<void> {
    const put: Share = { id: name, share, expiresAt };
    await this.documents.write([{ collection: PARTS, put: [put] }]);
  }

  async shareOf(name: string): Promise<number> {
    return (await this.documents.get<Share>(PARTS, name))?.share ?? 0;
  }

  async sweep(now: Instant): Promise<void> {
    const expired = await this.documents.findEntries(PARTS, { index: 'expiry', gt: 0, lte: now, limit: MAX_SWEPT });
    if (expired.length > 0) await this.documents.write([{ collection: PARTS, remove: expired.map(({ id }) => id) }]);
  }
}

const partIdsOf = ({ textId, parts }: StoredText): string[] =>
  Array.from({ length: parts }, (_, part) => `${textId}:${part}`);

const STATEMENT_LIFETIME: Duration = 24 * HOUR;

export class MakeUsageStatement extends TaskCommand<AgencyId> {}

export const usageTaskRules: TaskRules<UsageStatementEvent> = {
  'usageStatement.requested.v1': [{ kind: 'usageStatement', due: immediately }],
  'usageStatement.made.v1': [{ kind: 'usageStatement', due: noLonger }],
  'usageStatement.failed.v1': [{ kind: 'usageStatement', due: noLonger }],
};

export interface ShownStatement extends UsageStatement {
  readonly share: number;
  /** When the text expires; without a text, when the failure is no longer shown. */
  readonly expiresAt: Instant | null;
}

class StatementStreams extends Repository<StatementsOfAgency, UsageStatementEvent, AgencyId> {}

/** Statements that people requested and a worker makes. The texts are documents: a lost one is requested again. */
@Injectable()
export class UsageStatements {
  private readonly streams: StatementStreams;
  private readonly texts: StatementTexts;

  constructor(
    runner: CommandRunner,
    documents: DocumentStore,
    private readonly clock: Clock,
  ) {
    this.streams = new StatementStreams(usageStatementDecider, runner);
    this.texts = new StatementTexts(documents);
  }

  /** Asks for a month again, or for the first time; what was made before can be fetched until it is made again. */
  async request(agencyId: AgencyId, month: string, context: CommandContext): Promise<ShownStatement | undefined> {
    const now = this.clock.now();
    await this.texts.sweep(now);
    const requested = { statementId: newEventId(), month };
    const { state } = await this.streams.update(agencyId, context, (before) =>
      requestStatement(before, requested, now),
    );
    return this.shown(state, month);
  }

  async ofAgency(agencyId: AgencyId): Promise<readonly ShownStatement[]> {
    const { state } = await this.streams.load(agencyId);
    const months = new Set(state.map(({ month }) => month));
    const shown = await Promise.all([...months].map((month) => this.shown(state, month)));
    return shown.filter((statement) => statement !== undefined);
  }

  async find(agencyId: AgencyId, month: string): Promise<ShownStatement | undefined> {
    return this.shown((await this.streams.load(agencyId)).state, month);
  }

  /** The text of a statement that was made; it breaks off if it is made again in between. */
  text(statement: UsageStatement): AsyncGenerator<string> {
    return this.texts.read(statement);
  }

  async pending(agencyId: AgencyId): Promise<UsageStatement | undefined> {
    return pendingOf((await this.streams.load(agencyId)).state);
  }

  async noteShare({ statementId }: UsageStatement, share: number): Promise<void> {
    await this.texts.noteShare(statementId, share, this.textEnd());
  }

  async complete(agencyId: AgencyId, statement: UsageStatement, text: string, context: CommandContext): Promise<void> {
    const before = await this.streams.load(agencyId);
    const made = await this.texts.put(text, statement.statementId, this.textEnd());
    const { events } = await this.streams.update(before, context, (state) =>
      endStatement(state, statement.statementId, this.clock.now(), made),
    );
    const earlier = before.state.filter(({ month, parts }) => month === statement.month && parts > 0);
    for (const unneeded of events.length > 0 ? earlier : [made]) await this.texts.remove(unneeded);
  }

  async fail(agencyId: AgencyId, { statementId }: UsageStatement, context: CommandContext): Promise<void> {
    await this.streams.update(agencyId, context, (state) => endStatement(state, statementId, this.clock.now()));
  }

  private textEnd(): Instant {
    return this.clock.now() + STATEMENT_LIFETIME + HOUR;
  }

  /** The pending request or else the newest, and the text that an earlier one has made. */
  private async shown(statements: StatementsOfAgency, month: string): Promise<ShownStatement | undefined> {
    const kept = statements.filter((each) => each.month === month && !this.isExpired(each));
    const [newest] = kept;
    if (newest === undefined) return undefined;
    const { textId, parts, bytes, endedAt } = kept.find((each) => each.parts > 0) ?? newest;
    const expiresAt = endedAt === null ? null : endedAt + STATEMENT_LIFETIME;
    const share = newest.state === 'made' ? 1 : await this.texts.shareOf(newest.statementId);
    return { ...newest, textId, parts, bytes, expiresAt, share };
  }

  private isExpired({ endedAt }: UsageStatement): boolean {
    return endedAt !== null && ageOf(endedAt, this.clock.now(), MAX_CLOCK_SKEW) >= STATEMENT_LIFETIME;
  }
}
