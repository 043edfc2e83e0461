import { Injectable } from '@nestjs/common';
import { CreatorAccess, type CreatorState, isErased } from '#creators';
import { ClockWatch } from '#jobs';
import type { DeindexRequestId, OrderProtocol, Wanted } from '#kernel';
import { DeindexingOptions } from '../deindexing.options.js';
import type { DeindexRequestEvent } from '../domain/deindex-request.events.js';
import {
  cancelDeindex,
  type DeindexRequest,
  type DispatchedRequest,
  dispatchDeindex,
  isUnderWay,
  type KnownDeindexRequest,
  observeSubmission,
  orderOf,
  pollInterval,
  recordOutcomeUnknown,
  rejectDeindex,
} from '../domain/deindex-request.js';
import type { DeindexSubmission } from '../domain/deindex-submission.js';
import type { LoadedDeindexRequest } from './deindex-request.repository.js';
import { SearchProvider } from './search-provider.js';

type DeindexProtocol = OrderProtocol<
  DeindexRequest,
  DispatchedRequest,
  DeindexRequestEvent,
  DeindexRequestId,
  DeindexSubmission
>;

/** A deindex request as an order to the search provider: in what it differs from other orders. */
@Injectable()
export class DeindexOrders {
  constructor(
    private readonly creators: CreatorAccess,
    private readonly provider: SearchProvider,
    private readonly clocks: ClockWatch,
    private readonly options: DeindexingOptions,
  ) {}

  of(request: LoadedDeindexRequest<KnownDeindexRequest>): DeindexProtocol {
    const { creators, provider, options } = this;
    const { creatorId } = request.state;
    let creator: CreatorState = { status: 'unknown' };
    return {
      isConfigured: provider.configured,
      callTimeout: options.providerTimeout,
      remaining: (wait) => this.clocks.remainingFor(request, wait),
      orderOf,
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
