import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess, deniedUntil } from '#agencies';
import { CreatorAccess, type CreatorState } from '#creators';
import { ClockWatch, DueCommand } from '#jobs';
import {
  advanceOrder,
  Clock,
  type DeindexRequestId,
  type DueOutcome,
  holds,
  type OrderProtocol,
  type Wanted,
} from '#kernel';
import { DeindexingOptions } from '../deindexing.options.js';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import {
  cancelDeindex,
  type DeindexRequest,
  type DispatchedRequest,
  dispatchDeindex,
  isOpen,
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  orderOf,
  pollInterval,
  recordOutcomeUnknown,
  rejectDeindex,
} from '../domain/deindex-request.js';
import type { DeindexSubmission } from '../domain/deindex-submission.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';
import { SearchProvider } from './search-provider.js';

/** One step for each run of the job: dispatches the request, follows its record, or settles its outcome (D47, D51). */
export class AdvanceDeindexRequest extends DueCommand<DeindexRequestId> {}

@CommandHandler(AdvanceDeindexRequest)
export class AdvanceDeindexRequestHandler implements ICommandHandler<AdvanceDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly creators: CreatorAccess,
    private readonly access: AgencyAccess,
    private readonly provider: SearchProvider,
    private readonly clock: Clock,
    private readonly clocks: ClockWatch,
    private readonly options: DeindexingOptions,
  ) {}

  async execute({ subject: requestId, context }: AdvanceDeindexRequest): Promise<DueOutcome> {
    const request = await this.requests.load(requestId);
    if (!holds(request, isOpen)) return 'idle';
    const facts = {
      deniedUntil: await deniedUntil(this.access, request.state.agencyId, this.clock.now()),
      isConfigured: this.provider.configured,
      callTimeout: this.options.providerTimeout,
      callEndsIn: this.clocks.remainingFor(request, 2 * this.options.providerTimeout),
    };
    return advanceOrder(this.requests, request, context, this.clock, facts, this.order(request.state));
  }

  private order({
    creatorId,
  }: KnownDeindexRequest): OrderProtocol<
    DeindexRequest,
    DispatchedRequest,
    DeindexRequestEvent,
    DeindexRequestId,
    DeindexSubmission
  > {
    const { pollEvery } = this.options;
    let isErased = false;
    return {
      orderOf,
      isCalled: isUnderWay,
      wanted: async () => {
        const creator = (await this.creators.recorded(creatorId)).state;
        isErased = creator.status === 'known' && creator.membership.status === 'erased';
        return wantedFor(creator);
      },
      intent: dispatchDeindex,
      call: ({ requestId, agencyId, userId, leakId, url }) =>
        this.provider.submit({ reference: requestId, agencyId, userId, leakId, url }),
      lookUp: ({ requestId }) => this.provider.find(requestId),
      answered: observeSubmission,
      refused: rejectDeindex,
      unknown: recordOutcomeUnknown,
      cancel: (state) => cancelDeindex(state, isErased ? 'personal_data_erased' : 'membership_ended'),
      // A creator that has left may return, and then a removal may be verified. An erased one does not return (D72).
      pollEvery: (state, now) => {
        if (isErased && state.status === 'completed') return undefined;
        return isUnderWay(state) ? pollInterval(now - state.dispatchedAt, pollEvery) : pollEvery;
      },
    };
  }
}

/** A missing creator is seen again, or its membership ends. For one that has left nothing is submitted (D51). */
const wantedFor = (creator: CreatorState): Wanted => {
  if (creator.status === 'unknown' || creator.membership.status === 'missing') return 'later';
  return creator.membership.status === 'current' ? 'yes' : 'no';
};
