import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SignUsageStatement } from '#audit';
import { type UsageStatement, UsageStatements } from '#dashboard';
import { Leases } from '#jobs';
import { type Duration, Logger, SECOND } from '#kernel';
import { parseMonth } from '#usage';

const LEASE = 'usage-statements';
const LEASE_TTL: Duration = 6 * SECOND;
const POLL_INTERVAL: Duration = SECOND;
/** The progress is written this often. */
const NOTE_INTERVAL: Duration = SECOND;

/** Makes the usage statements that people asked for in the dashboard, one at a time in all processes. */
@Injectable()
export class UsageStatementLoop implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private isEnsured = false;

  constructor(
    private readonly statements: UsageStatements,
    private readonly commands: CommandBus,
    private readonly leases: Leases,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.running ??= this.run();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /** Makes the statement that waits longest, if there is one and no other process makes one. Returns whether it did. */
  async runDue(): Promise<boolean> {
    if (!this.isEnsured) await this.statements.ensure();
    this.isEnsured = true;
    if ((await this.statements.nextPending()) === undefined) return false;
    const lease = await this.leases.acquire(LEASE, LEASE_TTL);
    if (lease === undefined) return false;
    return this.leases.withRenewal(lease, LEASE_TTL, async (lost) => {
      const statement = await this.statements.nextPending();
      if (statement !== undefined) await this.make(statement, AbortSignal.any([lost, this.stopping.signal]));
      return statement !== undefined;
    });
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
