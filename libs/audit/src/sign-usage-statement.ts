import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { type AgencyId, Clock, EventLog } from '#kernel';
import { Sealing } from '#tamper-evidence';
import { type Month, UsageOptions } from '#usage';
import type { Moment } from './moment.js';
import { sealsOf, withoutPrints } from './seals.js';
import { type OnShare, type SignedUsageStatement, signedStatement } from './usage-statement.js';

/** A command, because it first seals the whole log, so that the statement is complete. */
export class SignUsageStatement extends Command<SignedUsageStatement> {
  constructor(
    readonly agencyId: AgencyId,
    readonly month: Month,
    readonly asOf: Moment | undefined,
    /** Receives the part of the log that has been read, from 0 to 1. A rejection ends the command. */
    readonly onShare?: OnShare,
  ) {
    super();
  }
}

@CommandHandler(SignUsageStatement)
export class SignUsageStatementHandler implements ICommandHandler<SignUsageStatement> {
  constructor(
    private readonly queries: QueryBus,
    private readonly log: EventLog,
    private readonly sealing: Sealing,
    private readonly clock: Clock,
    private readonly options: UsageOptions,
  ) {}

  async execute({ agencyId, month, asOf, onShare }: SignUsageStatement): Promise<SignedUsageStatement> {
    // `not_found` for an agency that was never bound.
    await this.queries.execute(new GetBinding(agencyId));
    await this.sealing.sealAll(this.clock.now());
    const request = { agencyId, month, asOf, onShare, pricing: this.options.pricing };
    const seals = await Array.fromAsync(sealsOf(this.log), ({ data }) => withoutPrints(data));
    return signedStatement(this.log, seals, request, this.clock.now(), await this.sealing.key());
  }
}
