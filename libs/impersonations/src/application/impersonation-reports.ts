import { Injectable } from '@nestjs/common';
import { type AgencyScope, Creators, type EnrolledCreator, requireWritable } from '#creators';
import {
  type CommandContext,
  CommandRunner,
  type CreatorId,
  DomainError,
  type ImpersonationId,
  invalidRequest,
} from '#kernel';
import {
  impersonationDecider,
  impersonationIdOf,
  type KnownImpersonation,
  openImpersonation,
} from '../domain/impersonation.js';
import type { ReportInput } from '../domain/impersonation-report.events.js';
import {
  completeReport,
  impersonationReportDecider,
  impersonationReportIdOf,
  recordReportOutcomeUnknown,
  refuseReport,
  requestReport,
  requireSameReport,
} from '../domain/impersonation-report.js';
import { ImpersonationPlatform, type NativeImpersonation } from './ports.js';

export interface Reported {
  readonly impersonation: KnownImpersonation;
  readonly isNew: boolean;
}

/** Reports impersonations to the platform: the intent is recorded, then the call made, then its outcome recorded. */
@Injectable()
export class ImpersonationReports {
  constructor(
    private readonly runner: CommandRunner,
    private readonly creators: Creators,
    private readonly platform: ImpersonationPlatform,
  ) {}

  /**
   * One report a key (D45, D54). Where its outcome is not known it is `provider_timeout`, and the same again settles it;
   * a refused one leaves the key free.
   */
  async report(
    creatorId: CreatorId,
    url: string,
    scope: AgencyScope,
    idempotencyKey: string,
    context: CommandContext,
  ): Promise<Reported> {
    const input = { creatorId, url };
    const found = await this.creators.accessible(creatorId, scope, context);
    const reportId = impersonationReportIdOf(scope.agencyId, idempotencyKey);
    const { state: earlier } = await this.runner.load(impersonationReportDecider, reportId);
    requireSameReport(earlier, input);
    if (earlier.status === 'done') return this.replay(earlier.impersonationId);
    const userId = await this.onboardedUser(found, scope, context);
    const { state } = await this.runner.run(impersonationReportDecider, reportId, context, (report) =>
      requestReport(report, input),
    );
    if (state.status === 'done') return this.replay(state.impersonationId);

    const effect = await this.platform.reportImpersonation(scope.agencyId, userId, { reference: reportId, url });
    if (effect.outcome === 'done') return this.conclude(reportId, input, effect.value, scope, context);
    if (effect.outcome === 'refused') return this.refuse(reportId, creatorId, effect.code, context);
    await this.runner.run(impersonationReportDecider, reportId, context, recordReportOutcomeUnknown);
    throw new DomainError('provider_timeout', { cause: effect.error });
  }

  private async replay(impersonationId: ImpersonationId): Promise<Reported> {
    const { state } = await this.runner.load(impersonationDecider, impersonationId);
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { impersonation: state, isNew: false };
  }

  /** The impersonation first: a report that is done names one that is there. */
  private async conclude(
    reportId: string,
    input: ReportInput,
    native: NativeImpersonation,
    { workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<Reported> {
    const { creatorId } = input;
    const impersonationId = impersonationIdOf(workspaceId, creatorId, native.nativeId);
    const of = { impersonationId, creatorId, workspaceId };
    const { state } = await this.runner.run(impersonationDecider, impersonationId, context, (known) =>
      openImpersonation(known, of, native),
    );
    const { events } = await this.runner.run(impersonationReportDecider, reportId, context, (report) =>
      completeReport(report, input, impersonationId),
    );
    if (state.status === 'unknown') throw new DomainError('internal_error');
    return { impersonation: state, isNew: events.length > 0 };
  }

  private async refuse(reportId: string, creatorId: CreatorId, code: string, context: CommandContext): Promise<never> {
    await this.runner.run(impersonationReportDecider, reportId, context, (report) => refuseReport(report, code));
    if (code === 'unsupported_impersonation_url') {
      throw invalidRequest({ field: 'url', message: 'must be an account on a supported platform' });
    }
    if (code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: code });
    await this.creators.recordMissing(creatorId, context);
    throw new DomainError('not_found');
  }

  private async onboardedUser(found: EnrolledCreator, scope: AgencyScope, context: CommandContext) {
    requireWritable(found, scope.epoch);
    const { userId } = found.userId === null ? await this.creators.refreshed(found, context) : found;
    if (userId === null) throw new DomainError('creator_invitation_pending');
    return userId;
  }
}
