import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { AgencyAccess, type Binding, requirePresentEpoch } from '#agencies';
import { PUBLIC_EVENT_TYPES } from '#event-feed';
import {
  type AgencyId,
  type CommandContext,
  DomainError,
  type Duration,
  invalidRequest,
  newId,
  type WebhookEndpointId,
} from '#kernel';
import type { ChosenTypes } from '../domain/webhook-endpoint.events.js';
import {
  chooseTypes,
  disableEndpoint,
  enableEndpoint,
  type RegisteredEndpoint,
  registerEndpoint,
  requireRegistered,
  rotateSecret,
} from '../domain/webhook-endpoint.js';
import { EndpointList } from '../read-models/endpoint-list.js';
import { WebhookEndpointRepository } from './repositories.js';
import { newWebhookSecret, SecretCipher, SecretReencryption } from './secret-cipher.js';
import { requireAllowed, WebhookSender } from './signed-sending.js';

interface NewSecret {
  /** Only here; the log has it encrypted. */
  readonly secret: string;
}

export abstract class EndpointCommand<Result> extends Command<Result> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Rejects with `not_found` for another agency's endpoint. */
export abstract class EndpointQuery<Result> extends Query<Result> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly agencyId?: AgencyId,
  ) {
    super();
  }
}

export class GetEndpoint extends EndpointQuery<RegisteredEndpoint> {}

@QueryHandler(GetEndpoint)
export class GetEndpointHandler implements IQueryHandler<GetEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, agencyId }: GetEndpoint): Promise<RegisteredEndpoint> {
    const { state } = await this.endpoints.find(endpointId);
    if (agencyId !== undefined && state.agencyId !== agencyId) throw new DomainError('not_found');
    return state;
  }
}

/** Stops deliveries to an endpoint; its pending ones fail (D82). */
export class DisableEndpoint extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(DisableEndpoint)
export class DisableEndpointHandler implements ICommandHandler<DisableEndpoint> {
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, context }: DisableEndpoint): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.find(endpointId);
    return (await this.endpoints.change(endpoint, context, disableEndpoint)).state;
  }
}

/** Each event is sent to all of them, over separate connections. */
export const MAX_ACTIVE = 100;
/** Disabled ones too: lists and searches read all of them. */
export const MAX_ENDPOINTS = 1_000;

/**
 * Limits the endpoints of a binding; a new owner does not suffer from what the former one registered. Concurrent requests
 * may exceed the limit by their number. The field is `url` for a new endpoint.
 */
const requireRoom = async (
  list: EndpointList,
  { agencyId, epoch }: Binding,
  field: 'url' | 'endpoint',
): Promise<void> => {
  const endpoints = (await list.ofAgency(agencyId)).filter((endpoint) => endpoint.epoch === epoch);
  if (field === 'url' && endpoints.length >= MAX_ENDPOINTS) {
    const message = `would exceed ${MAX_ENDPOINTS} endpoints; enable a disabled one instead`;
    throw invalidRequest({ field, message });
  }
  if (endpoints.filter(({ status }) => status === 'active').length < MAX_ACTIVE) return;
  throw invalidRequest({ field, message: `would exceed ${MAX_ACTIVE} active endpoints; disable another one first` });
};

/** D82: with the same id, URL and secrets, after the checks of registration. One of an earlier binding stays disabled. */
export class EnableEndpoint extends EndpointCommand<RegisteredEndpoint> {}

@CommandHandler(EnableEndpoint)
export class EnableEndpointHandler implements ICommandHandler<EnableEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sender: WebhookSender,
    private readonly list: EndpointList,
  ) {}

  async execute({ endpointId, context }: EnableEndpoint): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.find(endpointId);
    const { agencyId, epoch, url, status } = endpoint.state;
    const { binding } = await this.access.verify(agencyId);
    requirePresentEpoch(binding, epoch);
    if (status === 'disabled') await requireRoom(this.list, binding, 'endpoint');
    await requireAllowed(this.sender, url);
    return (await this.endpoints.change(endpoint, context, enableEndpoint)).state;
  }
}

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
  constructor(private readonly endpoints: WebhookEndpointRepository) {}

  async execute({ endpointId, types, context }: ChooseEventTypes): Promise<RegisteredEndpoint> {
    const endpoint = await this.endpoints.findBound(endpointId);
    return (await this.endpoints.change(endpoint, context, (state) => chooseTypes(state, types))).state;
  }
}

/** During the overlap the previous secret signs too (D61). */
export class RotateSecret extends Command<NewSecret> {
  constructor(
    readonly endpointId: WebhookEndpointId,
    readonly overlap: Duration,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly cipher: SecretCipher,
    private readonly secrets: SecretReencryption,
  ) {}

  async execute({ endpointId, overlap, context }: RotateSecret): Promise<NewSecret> {
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const endpoint = await this.endpoints.findBound(endpointId);
    const encryptedSecret = this.cipher.encrypt(endpoint.state, secret);
    await this.endpoints.change(endpoint, context, (state, now) =>
      rotateSecret(state, { encryptedSecret, overlap }, now),
    );
    // A rotation of the master key may have passed the endpoint before this.
    await this.secrets.reencrypt(endpointId, context);
    return { secret };
  }
}

/** D19, D59: after the checks of a binding, and only for a URL that deliveries may go to. */
export class RegisterEndpoint extends Command<NewSecret & { readonly endpoint: RegisteredEndpoint }> {
  constructor(
    readonly agencyId: AgencyId,
    readonly url: string,
    readonly context: CommandContext,
    readonly types: ChosenTypes = null,
  ) {
    super();
  }
}

@CommandHandler(RegisterEndpoint)
export class RegisterEndpointHandler implements ICommandHandler<RegisterEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly secrets: SecretReencryption,
    private readonly list: EndpointList,
  ) {}

  async execute({ agencyId, url, types, context }: RegisterEndpoint) {
    const { binding } = await this.access.verify(agencyId);
    const { workspaceId, epoch } = binding;
    await requireRoom(this.list, binding, 'url');
    await requireAllowed(this.sender, url);
    const endpointId = newId('webhookEndpoint');
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const encryptedSecret = this.cipher.encrypt({ endpointId, url }, secret);
    const registration = { endpointId, agencyId, workspaceId, epoch, url, types, encryptedSecret };
    const recorded = await this.endpoints.update(
      this.endpoints.assumeNew(endpointId),
      { ...context, workspaceId },
      (endpoint) => registerEndpoint(endpoint, registration),
    );
    await this.secrets.reencrypt(endpointId, context);
    return { endpoint: requireRegistered(recorded.state), secret };
  }
}
