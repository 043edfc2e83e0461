import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ClockWatch, endDeadLetter, TaskCommand } from '#jobs';
import type { DeindexRequestId, TaskOutcome } from '#kernel';
import { endDeadLetterDeindex } from '../domain/deindex-request.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';

/** Ends a request whose due work was set aside, now or when it has been uncertain for 72 hours (D87). */
export class EndDeadLetterDeindexRequest extends TaskCommand<DeindexRequestId> {}

@CommandHandler(EndDeadLetterDeindexRequest)
export class EndDeadLetterDeindexRequestHandler implements ICommandHandler<EndDeadLetterDeindexRequest> {
  constructor(
    private readonly requests: DeindexRequestRepository,
    private readonly clocks: ClockWatch,
  ) {}

  execute({ subject: requestId, context }: EndDeadLetterDeindexRequest): Promise<TaskOutcome> {
    return endDeadLetter(requestId, context, {
      repository: this.requests,
      end: endDeadLetterDeindex,
      isUncertain: ({ status }) => status === 'uncertain',
      clocks: this.clocks,
    });
  }
}
