import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { CreatorAccess, type CreatorState, isErased } from '#creators';
import { TaskCommand } from '#jobs';
import {
  advanceOutboundCall,
  ClockWatch,
  type DeindexRequestId,
  endDeadLetter,
  holds,
  type OutboundCallProtocol,
  type TaskOutcome,
  type Wanted,
} from '#kernel';
import type { DeindexRequestEvent, DeindexSubmission } from '../domain/deindex-request.events.js';
import {
  cancelDeindex,
  type DeindexRequest,
  type DispatchedRequest,
  dispatchDeindex,
  endDeadLetterDeindex,
  isOpen,
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  outboundCallOf,
  pollInterval,
  recordOutcomeUnknown,
  rejectDeindex,
} from '../domain/deindex-request.js';
import { DeindexRequestRepository, type LoadedDeindexRequest } from './deindex-request.repository.js';
import { DeindexingOptions, SearchProvider } from './ports.js';

type DeindexProtocol = OutboundCallProtocol<
  DeindexRequest,
  DispatchedRequest,
  DeindexRequestEvent,
  DeindexRequestId,
  DeindexSubmission
>;

/** One step of a request; one whose task was set aside ends, now or after it has been uncertain for 72 hours (D87). */
export class AdvanceDeindexRequest extends TaskCommand<DeindexRequestId> {}

@CommandHandler(AdvanceDeindexRequest)
export class AdvanceDeindexRequestHandler implements ICommandHandler<AdvanceDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly creators: CreatorAccess,
    private readonly provider: SearchProvider,
    private readonly access: AgencyAccess,
    private readonly clocks: ClockWatch,
    private readonly options: DeindexingOptions,
  ) {}

  async execute({ subject: requestId, context, isSetAside }: AdvanceDeindexRequest): Promise<TaskOutcome> {
    const { requests: repository, clocks } = this;
    const request = await repository.load(requestId);
    if (!holds(request, isOpen)) return 'idle';
    const isUncertain = ({ status }: DeindexRequest) => status === 'uncertain';
    if (isSetAside)
      return endDeadLetter(request, context, { repository, end: endDeadLetterDeindex, isUncertain, clocks });
    const denied = await this.access.deniedUntil(request.state.agencyId);
    return advanceOutboundCall(repository, request, context, clocks, denied, this.protocolOf(request));
  }

  private protocolOf(request: LoadedDeindexRequest<KnownDeindexRequest>): DeindexProtocol {
    const { creators, provider, options } = this;
    const { creatorId } = request.state;
    let creator: CreatorState = { status: 'unknown' };
    return {
      isConfigured: provider.configured,
      callTimeout: options.providerTimeout,
      outboundCallOf,
      isCalled: isUnderWay,
      wanted: async () => {
        creator = (await creators.recorded(creatorId)).state;
        return wantedFor(creator);
      },
      intent: dispatchDeindex,
      call: ({ requestId, agencyId, userId, leakId, url }) =>
        provider.submit({ reference: requestId, agencyId, userId, leakId, url }),
      lookUp: ({ requestId }) => provider.find(requestId),
      answered: observeSubmission,
      refused: rejectDeindex,
      unknown: recordOutcomeUnknown,
      cancel: (state) => cancelDeindex(state, isErased(creator) ? 'personal_data_erased' : 'membership_ended'),
      // A creator that has left may return, and then a removal may be verified. An erased one does not return (D72).
      pollEvery: (state, now) => {
        if (isErased(creator) && state.status === 'completed') return undefined;
        return isUnderWay(state) ? pollInterval(now - state.dispatchedAt, options.pollEvery) : options.pollEvery;
      },
    };
  }
}

/** A missing creator is seen again, or its membership ends. For one that has left nothing is submitted (D51). */
const wantedFor = (creator: CreatorState): Wanted => {
  if (creator.status === 'unknown' || creator.membership.status === 'missing') return 'later';
  return creator.membership.status === 'current' ? 'yes' : 'no';
};
