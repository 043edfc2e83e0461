import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, type FoundCreator, requireWritable } from '#creators';
import {
  type CommandContext,
  type CreatorId,
  type Decision,
  DomainError,
  type ImpersonationId,
  invalidRequest,
} from '#kernel';
import { impersonationIdOf, type KnownImpersonation, openImpersonation } from '../domain/impersonation.js';
import type { ImpersonationReportEvent, ReportInput } from '../domain/impersonation-report.events.js';
import {
  completeReport,
  type ImpersonationReport,
  impersonationReportIdOf,
  recordReportOutcomeUnknown,
  refuseReport,
  requestReport,
  requireSameReport,
} from '../domain/impersonation-report.js';
import type { NativeImpersonation } from '../domain/native-impersonation.js';
import { ImpersonationRepository } from './impersonation.repository.js';
import { ImpersonationPlatform } from './impersonation-platform.js';
import { ImpersonationReportRepository, type LoadedReport } from './impersonation-report.repository.js';

export interface ReportImpersonationResult {
  readonly impersonation: KnownImpersonation;
  readonly isNew: boolean;
}

/**
 * Reports an account that passes itself off as the creator, once for each key (D45, D54): the intent is recorded, then the
 * call made, then its outcome recorded. Where the outcome is not known it is `provider_timeout`, and the same again settles
 * it; a refused one leaves the key free.
 */
export class ReportImpersonation extends Command<ReportImpersonationResult> {
  constructor(
    readonly creatorId: CreatorId,
    readonly url: string,
    readonly scope: AgencyScope,
    readonly idempotencyKey: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReportImpersonation)
export class ReportImpersonationHandler implements ICommandHandler<ReportImpersonation> {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly reports: ImpersonationReportRepository,
    private readonly creators: CreatorAccess,
    private readonly platform: ImpersonationPlatform,
  ) {}

  async execute(command: ReportImpersonation): Promise<ReportImpersonationResult> {
    const { creatorId, url, scope, idempotencyKey, context } = command;
    const input = { creatorId, url };
    const reportId = impersonationReportIdOf(scope.agencyId, idempotencyKey);
    const [found, earlier] = await Promise.all([
      this.creators.accessible(creatorId, scope, context),
      this.reports.load(reportId),
    ]);
    requireSameReport(earlier.state, input);
    if (earlier.state.status === 'done') return this.replay(earlier.state.impersonationId);
    const { creator, userId } = await this.onboarded(found, scope, context);
    const report = await this.record(earlier, context, (state) => requestReport(state, input));
    if (report.state.status === 'done') return this.replay(report.state.impersonationId);

    const effect = await this.platform.reportImpersonation(scope.agencyId, userId, { reference: reportId, url });
    if (effect.outcome === 'done') return this.conclude(report, input, effect.value, scope, context);
    if (effect.outcome === 'refused') return this.refuse(report, creator, effect.code, context);
    await this.record(report, context, recordReportOutcomeUnknown);
    throw new DomainError('provider_timeout', { cause: effect.error });
  }

  private async replay(impersonationId: ImpersonationId): Promise<ReportImpersonationResult> {
    const { state } = await this.impersonations.load(impersonationId);
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { impersonation: state, isNew: false };
  }

  /** The impersonation first: a report that is done names one that is there. */
  private async conclude(
    report: LoadedReport,
    input: ReportInput,
    native: NativeImpersonation,
    { workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<ReportImpersonationResult> {
    const { creatorId } = input;
    const impersonationId = impersonationIdOf(workspaceId, creatorId, native.nativeId);
    const of = { impersonationId, creatorId, workspaceId };
    const { state } = await this.impersonations.update(impersonationId, context, (known) =>
      openImpersonation(known, of, native),
    );
    const { events } = await this.record(report, context, (current) => completeReport(current, input, impersonationId));
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { impersonation: state, isNew: events.length > 0 };
  }

  private async refuse(
    report: LoadedReport,
    creator: FoundCreator,
    code: string,
    context: CommandContext,
  ): Promise<never> {
    await this.record(report, context, (state) => refuseReport(state, code));
    if (code === 'unsupported_impersonation_url') {
      throw invalidRequest({ field: 'url', message: 'must be an account on a supported platform' });
    }
    if (code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: code });
    await this.creators.reportMissing(creator, context);
    throw new DomainError('not_found');
  }

  private async onboarded(found: FoundCreator, scope: AgencyScope, context: CommandContext) {
    requireWritable(found.state, scope.epoch);
    const creator = found.state.userId === null ? await this.creators.observe(found, context) : found;
    const { userId } = creator.state;
    if (userId === null) throw new DomainError('creator_invitation_pending');
    return { creator, userId };
  }

  private record(
    report: LoadedReport,
    context: CommandContext,
    decision: Decision<ImpersonationReport, ImpersonationReportEvent>,
  ) {
    return this.reports.update(report, context, decision);
  }
}
