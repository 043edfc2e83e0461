import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SignUsageStatement } from '#audit';
import { type UsageStatement, UsageStatements } from '#dashboard';
import { type Duration, Logger, SECOND } from '#kernel';
import { parseMonth } from '#usage';

const POLL_INTERVAL: Duration = SECOND;
/** The progress is written this often. */
const NOTE_INTERVAL: Duration = SECOND;

/** Makes the usage statements that people asked for in the dashboard, one at a time. */
@Injectable()
export class UsageStatementLoop {
  private stopping = new AbortController();
  private running: Promise<void> | undefined;
  private isEnsured = false;

  constructor(
    private readonly statements: UsageStatements,
    private readonly commands: CommandBus,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopping = new AbortController();
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Makes the statement that waits longest, if there is one. Returns whether it did. */
  async runDue(): Promise<boolean> {
    if (!this.isEnsured) await this.statements.ensure();
    this.isEnsured = true;
    const statement = await this.statements.nextPending();
    if (statement !== undefined) await this.make(statement, this.stopping.signal);
    return statement !== undefined;
  }

  private async make(statement: UsageStatement, signal: AbortSignal): Promise<void> {
    const month = parseMonth(statement.month);
    if (month === undefined) return this.statements.fail(statement);
    let notedAt = performance.now();
    const onShare = (share: number) => {
      signal.throwIfAborted();
      if (performance.now() - notedAt < NOTE_INTERVAL) return undefined;
      notedAt = performance.now();
      return this.statements.noteShare(statement, share);
    };
    try {
      const command = new SignUsageStatement(statement.agencyId, month, undefined, onShare);
      const signed = await this.commands.execute(command);
      await this.statements.complete(statement, `${JSON.stringify(signed, undefined, 2)}\n`);
    } catch (error) {
      // Another process, or the next start of this one, makes it.
      if (signal.aborted) return;
      this.logger.warn({ err: error, statement: statement.id }, 'could not make a usage statement');
      await this.statements.fail(statement);
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const made = await this.runDue().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'could not read which usage statements are pending; trying again in 1 s');
        return false;
      });
      if (!made) await delay(POLL_INTERVAL, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
