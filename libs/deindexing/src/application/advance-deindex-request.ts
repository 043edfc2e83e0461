import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess } from '#creators';
import {
  Clock,
  type CommandContext,
  type DeindexRequestId,
  type DueOutcome,
  type Duration,
  holds,
  type Instant,
  MINUTE,
} from '#kernel';
import { DeindexingOptions } from '../deindexing.options.js';
import {
  cancelDeindex,
  type DeindexRequest,
  dispatchDeindex,
  isOpen,
  isUnderWay,
  type KnownDeindexRequest,
  recordOutcomeUnknown,
} from '../domain/deindex-request.js';
import type { DeindexSubmission } from '../domain/deindex-submission.js';
import {
  dispatchSettledBy,
  type Membership,
  nextSearchProviderStep,
  pollInterval,
  recordDispatch,
  recordLookup,
} from '../domain/search-provider-steps.js';
import { DeindexRequestRepository, type LoadedDeindexRequest } from './deindex-request.repository.js';
import { SearchProvider } from './search-provider.js';

type LoadedOpenRequest = LoadedDeindexRequest<KnownDeindexRequest>;

/** D79: another worker, or this one after a restart, may have a provider. */
const RETRY_WITHOUT_PROVIDER: Duration = MINUTE;

/**
 * One step for each run of the job: dispatches the request, follows its record, or settles its outcome (D47, D51). Each
 * step is recorded, so another worker can take the next one. Rejects with the provider's failure; then the step is
 * repeated.
 */
export class AdvanceDeindexRequest extends Command<DueOutcome> {
  constructor(
    readonly requestId: DeindexRequestId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AdvanceDeindexRequest)
export class AdvanceDeindexRequestHandler implements ICommandHandler<AdvanceDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly creators: CreatorAccess,
    private readonly access: AgencyAccess,
    private readonly provider: SearchProvider,
    private readonly clock: Clock,
    private readonly options: DeindexingOptions,
  ) {}

  async execute({ requestId, context }: AdvanceDeindexRequest): Promise<DueOutcome> {
    const request = await this.requests.load(requestId);
    if (!holds(request, isOpen)) return 'idle';
    const now = this.clock.now();
    const until = await this.unavailableUntil(request.state, now);
    // Only after the agency was verified, which may take seconds: after an erasure nothing is sent (D72).
    const creator = await this.creators.load(request.state.creatorId);
    if (creator.status === 'unknown') return 'idle';
    const { status: membership } = creator.membership;
    const step = nextSearchProviderStep(request.state, membership);
    if (step === 'cancel') return this.cancel(request, membership, context);
    if (now < until) return { retryAt: until };
    switch (step) {
      case 'await_member':
        return { retryAt: now + this.options.pollEvery };
      case 'dispatch':
        return this.dispatch(request, context);
      case 'follow_record':
        return this.followRecord(request, membership, context);
      case 'settle_outcome':
        return this.settleOutcome(request, context);
    }
  }

  private async cancel(
    request: LoadedOpenRequest,
    membership: Membership,
    context: CommandContext,
  ): Promise<DueOutcome> {
    const reason = membership === 'erased' ? 'personal_data_erased' : 'membership_ended';
    await this.requests.update(request, context, (state) => cancelDeindex(state, reason));
    return 'done';
  }

  /** While the agency is denied (D19), and while an earlier call may still be running. */
  private async unavailableUntil(request: KnownDeindexRequest, now: Instant): Promise<Instant> {
    const denied = await deniedUntil(this.access, request.agencyId, now);
    return denied ?? dispatchSettledBy(request, this.options.providerTimeout);
  }

  private async dispatch(request: LoadedOpenRequest, context: CommandContext): Promise<DueOutcome> {
    // D79: nothing could be sent, so the log must not say that it will be.
    if (!this.provider.configured) return { retryAt: this.clock.now() + RETRY_WITHOUT_PROVIDER };
    const started = await this.requests.update(request, context, dispatchDeindex);
    // No event was appended, so another worker has recorded the intent and may be calling.
    return started.events.length === 0 ? 'done' : this.send(started, context);
  }

  /** The same order under the same key, in every repeat. */
  private async send(request: LoadedDeindexRequest, context: CommandContext): Promise<DueOutcome> {
    if (!holds(request, isUnderWay)) return 'done';
    const { requestId, agencyId, userId, leakId, url } = request.state;
    const effect = await this.provider.submit({ reference: requestId, agencyId, userId, leakId, url });
    const recorded = await this.requests.update(request, context, (state, now) => recordDispatch(state, effect, now));
    if (effect.outcome === 'unknown') throw effect.error;
    return this.afterAnswer(recorded.state);
  }

  private async followRecord(
    request: LoadedOpenRequest,
    membership: Membership,
    context: CommandContext,
  ): Promise<DueOutcome> {
    const { recorded } = await this.lookUp(request, context);
    // A creator that has left may return, and then a removal may be verified. An erased one does not return (D72).
    if (membership === 'erased' && recorded.state.status === 'completed') return 'idle';
    return this.afterAnswer(recorded.state);
  }

  private async settleOutcome(request: LoadedOpenRequest, context: CommandContext): Promise<DueOutcome> {
    const { submission, recorded } = await this.lookUp(request, context);
    if (submission !== undefined) return this.afterAnswer(recorded.state);
    // Again after the look-up, which may take seconds: the creator may have left or been erased since (D51, D72).
    const creator = await this.creators.load(request.state.creatorId);
    const isMember = creator.status !== 'unknown' && creator.membership.status === 'current';
    return isMember ? this.send(recorded, context) : this.afterAnswer(recorded.state);
  }

  /** The record is looked up again until the request is finished. */
  private afterAnswer(request: DeindexRequest): DueOutcome {
    if (!isUnderWay(request)) return 'done';
    const now = this.clock.now();
    return { retryAt: now + pollInterval(now - request.dispatchedAt, this.options.pollEvery) };
  }

  private async lookUp(
    request: LoadedOpenRequest,
    context: CommandContext,
  ): Promise<{ submission: DeindexSubmission | undefined; recorded: LoadedDeindexRequest }> {
    const submission = await this.provider.find(request.id).catch(async (error: unknown) => {
      // Without a record, a look-up that fails says as little as one that finds nothing, and the 72 hours continue.
      const { recordedAt, status } = request.state;
      if (recordedAt === null || status === 'uncertain') {
        await this.requests.update(request, context, recordOutcomeUnknown);
      }
      throw error;
    });
    const recorded = await this.requests.update(request, context, (state, now) => recordLookup(state, submission, now));
    return { submission, recorded };
  }
}
