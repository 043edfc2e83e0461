import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import { type CommandContext, invalidRequest, type WebhookEndpointId } from '#kernel';
import type { ChosenTypes } from '../domain/webhook-endpoint.events.js';
import { chooseTypes, type RegisteredEndpoint } from '../domain/webhook-endpoint.js';
import { requirePresentBinding } from './present-binding.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';

/** The event types of this name, each once, in the order of the list of all; null without names (D104). */
export const chosenTypes = (names: readonly string[] | null | undefined): ChosenTypes => {
  if (names == null) return null;
  const unknown = names.filter((name) => !PUBLIC_EVENT_TYPES.some((type) => type === name));
  if (unknown.length > 0 || names.length === 0) {
    throw invalidRequest({ field: 'types', message: `must be of ${PUBLIC_EVENT_TYPES.join(', ')}` });
  }
  return PUBLIC_EVENT_TYPES.filter((type) => names.includes(type));
};

/** Changes which event types an endpoint takes, for events that are published from now on (D104). */
export class ChooseEventTypes extends Command<RegisteredEndpoint> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly types: ChosenTypes,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ChooseEventTypes)
export class ChooseEventTypesHandler implements ICommandHandler<ChooseEventTypes> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly queries: QueryBus,
  ) {}

  async execute({ endpointId, types, context }: ChooseEventTypes): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.find(endpointId);
    await requirePresentBinding(this.queries, endpoint.state);
    return (await this.endpoints.change(endpoint, context, (state) => chooseTypes(state, types))).state;
  }
}
