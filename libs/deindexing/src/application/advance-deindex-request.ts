import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { TaskCommand } from '#jobs';
import { advanceOrder, Clock, type DeindexRequestId, holds, type TaskOutcome } from '#kernel';
import { isOpen } from '../domain/deindex-request.js';
import { DeindexOrders } from './deindex-orders.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';

/** One step for each run of the job: dispatches the request, follows its record, or settles its outcome (D47, D51). */
export class AdvanceDeindexRequest extends TaskCommand<DeindexRequestId> {}

@CommandHandler(AdvanceDeindexRequest)
export class AdvanceDeindexRequestHandler implements ICommandHandler<AdvanceDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly orders: DeindexOrders,
    private readonly access: AgencyAccess,
    private readonly clock: Clock,
  ) {}

  async execute({ subject: requestId, context }: AdvanceDeindexRequest): Promise<TaskOutcome> {
    const request = await this.requests.load(requestId);
    if (!holds(request, isOpen)) return 'idle';
    const denied = await this.access.deniedUntil(request.state.agencyId);
    return advanceOrder(this.requests, request, context, this.clock, denied, this.orders.of(request));
  }
}
