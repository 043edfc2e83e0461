import type { BeforeApplicationShutdown } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isInfrastructureFailure } from '#jobs';
import { assertLeading, Clock, type Duration, KeyedMutex, Logger, NotLeading, SECOND, type TaskOutcome } from '#kernel';
import { MakeUsageStatement, parseMonth, UsageStatements } from '#usage';
import { SignUsageStatement } from './sign-usage-statement.js';

const NOTE_INTERVAL: Duration = SECOND;

@CommandHandler(MakeUsageStatement)
export class MakeUsageStatementHandler implements ICommandHandler<MakeUsageStatement>, BeforeApplicationShutdown {
  /** One at a time, because each reads the whole log, and every agency has a place (D89). */
  private readonly queue = new KeyedMutex();
  private isStopping = false;

  constructor(
    private readonly statements: UsageStatements,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** A statement that has not been made by then is made by the next leader. */
  beforeApplicationShutdown(): void {
    this.isStopping = true;
  }

  execute(command: MakeUsageStatement): Promise<TaskOutcome> {
    return this.queue.run('statement', () => this.make(command));
  }

  private async make({ subject: agencyId, context }: MakeUsageStatement): Promise<TaskOutcome> {
    this.requireLead();
    const statement = await this.statements.pending(agencyId);
    if (statement === undefined) return 'idle';
    let notedAt = this.clock.elapsed();
    const onShare = (share: number) => {
      this.requireLead();
      if (this.clock.elapsed() - notedAt < NOTE_INTERVAL) return undefined;
      notedAt = this.clock.elapsed();
      return this.statements.noteShare(statement, share);
    };
    try {
      const month = parseMonth(statement.month);
      if (month === undefined) throw new Error(`${statement.month} is not a month`);
      const signed = await this.commands.execute(new SignUsageStatement(agencyId, month, undefined, onShare));
      await this.statements.complete(agencyId, statement, `${JSON.stringify(signed, undefined, 2)}\n`, context);
    } catch (error) {
      if (isInfrastructureFailure(error)) throw error;
      this.logger.warn({ err: error, statement: statement.statementId }, 'could not make a usage statement');
      await this.statements.fail(agencyId, statement, context);
    }
    return 'done';
  }

  private requireLead(): void {
    assertLeading();
    if (this.isStopping) throw new NotLeading();
  }
}
