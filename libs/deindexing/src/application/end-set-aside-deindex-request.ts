import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, DueCommand, endSetAside } from '#jobs';
import type { DeindexRequestId, DueOutcome } from '#kernel';
import { endSetAsideDeindex } from '../domain/deindex-request.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';

/** Ends a request whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndSetAsideDeindexRequest extends DueCommand<DeindexRequestId> {}

@CommandHandler(EndSetAsideDeindexRequest)
export class EndSetAsideDeindexRequestHandler implements ICommandHandler<EndSetAsideDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly clocks: ClockWatch,
  ) {}

  execute({ subject: requestId, context }: EndSetAsideDeindexRequest): Promise<DueOutcome> {
    return endSetAside(requestId, context, {
      repository: this.requests,
      end: endSetAsideDeindex,
      isUncertain: ({ status }) => status === 'uncertain',
      clocks: this.clocks,
    });
  }
}
