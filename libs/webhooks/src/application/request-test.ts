import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { newEventId } from '#kernel';
import { type RegisteredEndpoint, requestTest } from '../domain/webhook-endpoint.js';
import { EndpointCommand } from './endpoint-command.js';
import { requirePresentBinding } from './present-binding.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** Requests a ping, which a worker sends; its result will be in the endpoint's `test`. */
export class RequestTest extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(RequestTest)
export class RequestTestHandler implements ICommandHandler<RequestTest> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly queries: QueryBus,
  ) {}

  async execute({ endpointId, context }: RequestTest): Promise<RegisteredEndpoint> {
    const testId = newEventId();
    const endpoint = await this.endpoints.find(endpointId);
    await requirePresentBinding(this.queries, endpoint.state);
    return (await this.endpoints.change(endpoint, context, (state) => requestTest(state, testId))).state;
  }
}
