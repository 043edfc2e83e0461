import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { endReplay, type RequestedReplay, requireReplay } from '../domain/webhook-replay.js';
import { EndpointCommand } from './endpoint-command.js';
import { WebhookReplayRepository } from './webhook-replay.repository.js';

/** Replays nothing more; what is pending is still attempted. */
export class EndReplay extends EndpointCommand<RequestedReplay> {}

@CommandHandler(EndReplay)
export class EndReplayHandler implements ICommandHandler<EndReplay> {
  constructor(private readonly replays: WebhookReplayRepository) {}

  async execute({ endpointId, context }: EndReplay) {
    const loaded = await this.replays.load(endpointId);
    const { workspaceId } = requireReplay(loaded.state);
    const { state } = await this.replays.update(loaded, { ...context, workspaceId }, (replay) =>
      endReplay(replay, 'ended_by_person'),
    );
    return requireReplay(state);
  }
}
