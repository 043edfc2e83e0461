import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DueCommand } from '#jobs';
import { type DeindexRequestId, type DueOutcome, ORDER_TIMEOUT } from '#kernel';
import { endSetAsideDeindex } from '../domain/deindex-request.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';

/** Ends a request whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndSetAsideDeindexRequest extends DueCommand<DeindexRequestId> {}

@CommandHandler(EndSetAsideDeindexRequest)
export class EndSetAsideDeindexRequestHandler implements ICommandHandler<EndSetAsideDeindexRequest> {
  constructor(private readonly requests: DeindexRequestRepository) {}

  async execute({ subject: requestId, context }: EndSetAsideDeindexRequest): Promise<DueOutcome> {
    const { state, events } = await this.requests.update(requestId, context, endSetAsideDeindex);
    if (events.length > 0) return 'done';
    if (state.status !== 'uncertain' || state.uncertainSince === null) return 'idle';
    return { retryAt: state.uncertainSince + ORDER_TIMEOUT };
  }
}
