import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess } from '#creators';
import { ADVANCED, type Advanced, NOTHING_LEFT, type NothingLeft, type Postponed, postponed } from '#jobs';
import { Clock, type CommandContext, type DeindexRequestId, holds } from '#kernel';
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
  callSettledBy,
  hasEnded,
  nextSearchProviderStep,
  recordLookup,
  recordSubmission,
} from '../domain/search-provider-steps.js';
import { DeindexRequestRepository, type LoadedDeindexRequest } from './deindex-request.repository.js';
import { SearchProvider } from './search-provider.js';

/** With the request after the step. */
export type AdvanceDeindexResult = (Advanced & { readonly request: DeindexRequest }) | Postponed | NothingLeft;

type OpenRequest = LoadedDeindexRequest<KnownDeindexRequest>;

const advanced = (request: DeindexRequest) => ({ ...ADVANCED, request });

/**
 * One step for each run of the job. Each step is recorded, so another worker can take the next one. Rejects with the
 * provider's failure; then the step is repeated.
 */
export class AdvanceDeindexRequest extends Command<AdvanceDeindexResult> {
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

  async execute({ requestId, context }: AdvanceDeindexRequest): Promise<AdvanceDeindexResult> {
    const request = await this.requests.load(requestId);
    if (!holds(request, isOpen)) return NOTHING_LEFT;
    const now = this.clock.now();
    const [creator, denied] = await Promise.all([
      this.creators.load(request.state.creatorId),
      deniedUntil(this.access, request.state.agencyId, now),
    ]);
    if (creator.status === 'unknown') return NOTHING_LEFT;
    const { status: membership } = creator.membership;
    if (hasEnded(membership) && request.state.dispatchedAt === null) {
      const reason = membership === 'erased' ? 'personal_data_erased' : 'membership_ended';
      const cancelled = await this.requests.update(request, context, (current) => cancelDeindex(current, reason));
      return advanced(cancelled.state);
    }
    // While the agency is denied (D19), and while an earlier call may still be running.
    const until = denied ?? callSettledBy(request.state, this.options.providerTimeout);
    if (now < until) return postponed(until);
    switch (nextSearchProviderStep(request.state, membership)) {
      case 'await_member':
        return postponed(now + this.options.pollEvery);
      case 'submit':
        return advanced(await this.submit(request, context));
      case 'look_up':
        return advanced(await this.lookUpOrResend(request, context));
      case 'look_up_only': {
        const { state } = await this.lookUp(request, context);
        // A creator that has left may return, and then a removal may be verified. An erased one does not return (D72).
        return membership === 'erased' && state.status === 'completed' ? NOTHING_LEFT : advanced(state);
      }
    }
  }

  /** Without a provider the log says nothing about a call: the request waits (D79). */
  private async submit(request: OpenRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!this.provider.configured) return request.state;
    const started = await this.requests.update(request, context, dispatchDeindex);
    // No event was appended, so another worker is calling.
    return started.events.length === 0 ? started.state : this.send(started, context);
  }

  /** The same order under the same key, in every repeat. */
  private async send(request: LoadedDeindexRequest, context: CommandContext): Promise<DeindexRequest> {
    if (!isUnderWay(request.state)) return request.state;
    const { requestId, agencyId, userId, leakId, url } = request.state;
    const effect = await this.provider.submit({ reference: requestId, agencyId, userId, leakId, url });
    const { state } = await this.requests.update(request, context, (current, now) =>
      recordSubmission(current, effect, now),
    );
    if (effect.outcome === 'unknown') throw effect.error;
    return state;
  }

  /** A record that existed once is not created a second time; it is looked up until the request has failed. */
  private async lookUpOrResend(request: OpenRequest, context: CommandContext): Promise<DeindexRequest> {
    const { isFound, ...known } = await this.lookUp(request, context);
    return !isFound && request.state.recordedAt === null ? this.send(known, context) : known.state;
  }

  private async lookUp(request: OpenRequest, context: CommandContext) {
    const submission = await this.find(request, context);
    const known = await this.requests.update(request, context, (current, now) =>
      recordLookup(current, submission, now),
    );
    return { ...known, isFound: submission !== undefined };
  }

  /** Without a record, a lookup that fails says as little as one that finds none, and the 72 hours continue. */
  private async find(request: OpenRequest, context: CommandContext): Promise<DeindexSubmission | undefined> {
    try {
      return await this.provider.find(request.id);
    } catch (error) {
      const { recordedAt, status } = request.state;
      if (recordedAt === null || status === 'uncertain') {
        await this.requests.update(request, context, recordOutcomeUnknown);
      }
      throw error;
    }
  }
}
