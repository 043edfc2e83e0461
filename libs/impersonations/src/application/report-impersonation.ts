import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess, type FoundCreator, requireWritable } from '#creators';
import {
  type CommandContext,
  type CreatorId,
  DomainError,
  type Effect,
  invalidRequest,
  performEffect,
  requireVisibleKey,
  type UserId,
} from '#kernel';
import {
  type ImpersonationState,
  impersonationIdOf,
  type KnownImpersonation,
  openImpersonation,
} from '../domain/impersonation.js';
import {
  type ImpersonationReport,
  impersonationReportIdOf,
  type ReportInput,
  recordReport,
  requestReport,
  requireSameReport,
} from '../domain/impersonation-report.js';
import { ImpersonationReportRepository, ImpersonationRepository } from './impersonations.repository.js';
import { ImpersonationPlatform } from './ports.js';

export interface ReportImpersonationResult {
  readonly impersonation: KnownImpersonation;
  readonly isNew: boolean;
}

/** Once per key (D45, D54). Unknown is `provider_timeout`, which the same call settles; a refusal frees the key. */
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
      this.creators.forWrite(creatorId, scope, context),
      this.reports.load(reportId),
    ]);
    requireSameReport(earlier.state, input);
    if (earlier.state.status === 'none') requireVisibleKey(idempotencyKey);
    if (earlier.state.status === 'done') return this.replay(earlier.state);
    const { creator, userId } = await this.onboarded(found, scope, context);
    const { loaded, effect } = await performEffect(this.reports, earlier, context, {
      intent: (state) => requestReport(state, input),
      call: ({ status }) => (status === 'done' ? undefined : this.report(reportId, input, userId, scope, context)),
      outcome: (state, reported) => recordReport(state, input, reported),
    });
    if (effect?.outcome === 'done') return { impersonation: effect.value, isNew: loaded.events.length > 0 };
    if (effect?.outcome === 'refused') return this.refuse(creator, effect.code, context);
    if (effect?.outcome === 'unknown') throw new DomainError('provider_timeout', { cause: effect.error });
    return this.replay(loaded.state);
  }

  private async report(
    reference: string,
    { creatorId, url }: ReportInput,
    userId: UserId,
    { agencyId, workspaceId }: AgencyScope,
    context: CommandContext,
  ): Promise<Effect<KnownImpersonation>> {
    const effect = await this.platform.reportImpersonation(agencyId, userId, { reference, url });
    if (effect.outcome !== 'done') return effect;
    const impersonationId = impersonationIdOf(workspaceId, creatorId, effect.value.nativeId);
    const { state } = await this.impersonations.update(impersonationId, context, (known) =>
      openImpersonation(known, { impersonationId, creatorId, workspaceId }, effect.value),
    );
    return { outcome: 'done', value: assertKnown(state) };
  }

  private async replay(report: ImpersonationReport): Promise<ReportImpersonationResult> {
    if (report.status !== 'done') throw new Error('a report without an outcome cannot be replayed');
    const { state } = await this.impersonations.load(report.impersonationId);
    return { impersonation: assertKnown(state), isNew: false };
  }

  private async refuse(creator: FoundCreator, code: string, context: CommandContext): Promise<never> {
    if (code === 'unsupported_impersonation_url') {
      throw invalidRequest({ field: 'url', message: 'must be an account on a supported platform' });
    }
    if (code !== 'not_found') throw new DomainError('provider_invalid_response', { cause: code });
    await this.creators.reportMissing(creator, context);
    throw new DomainError('not_found');
  }

  private async onboarded(found: FoundCreator, scope: AgencyScope, context: CommandContext) {
    requireWritable(found.state, scope.epoch);
    const creator = found.state.userId === null ? await this.creators.refreshed(found, context) : found;
    const { userId } = creator.state;
    if (userId === null) throw new DomainError('creator_invitation_pending');
    return { creator, userId };
  }
}

const assertKnown = (state: ImpersonationState): KnownImpersonation => {
  if (state.status === 'unknown') throw new Error('a reported impersonation is unknown');
  return state;
};
