import { Injectable } from '@nestjs/common';
import { immediately, noLonger, TaskCommand, type TaskRules } from '#jobs';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CommandContext,
  CommandRunner,
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
  type UsageStatement,
  type UsageStatementEvent,
  usageStatementDecider,
} from '../domain/usage-statement.js';
import { StatementTexts } from './statement-texts.js';

/** How long a statement can be fetched after it was made. */
const STATEMENT_LIFETIME: Duration = 24 * HOUR;

/** Makes the statement that the agency has asked for. */
export class MakeUsageStatement extends TaskCommand<AgencyId> {}

export const usageTaskRules: TaskRules<UsageStatementEvent> = {
  'usageStatement.requested.v1': [{ kind: 'usageStatement', due: immediately }],
  'usageStatement.made.v1': [{ kind: 'usageStatement', due: noLonger }],
  'usageStatement.failed.v1': [{ kind: 'usageStatement', due: noLonger }],
};

/** A month's statement, as people see it. */
export interface ShownStatement extends UsageStatement {
  /** The part of the log that has been read, from 0 to 1. */
  readonly share: number;
  /** When the text expires; without a text, when the failure is no longer shown. */
  readonly expiresAt: Instant | null;
}

class StatementStreams extends Repository<StatementsOfAgency, UsageStatementEvent, AgencyId> {}

/** Statements that people asked for, which a worker makes. The texts are documents: what is lost is asked for again. */
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

  /** The newest of each month, the newest first. */
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

  /** Later than the statement itself. */
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
