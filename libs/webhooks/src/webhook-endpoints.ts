import type { AgencyAccess } from '#agencies';
import {
  type AgencyId,
  type CommandContext,
  type CommandRunner,
  type Duration,
  type Instant,
  invalidRequest,
  newEventId,
  newId,
  type WebhookEndpointId,
} from '#kernel';
import type { TargetPolicy } from './ports.js';
import { newWebhookSecret, type SecretSeal } from './secret-seal.js';
import type { WebhookEndpointEvent } from './webhook-endpoint.events.js';
import {
  disableEndpoint,
  type RegisteredEndpoint,
  registerEndpoint,
  requestTest,
  requireRegistered,
  rotateSecret,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from './webhook-endpoint.js';

export interface WithSecret {
  readonly endpoint: RegisteredEndpoint;
  /** In this answer and nowhere else. */
  readonly secret: string;
}

/** Endpoints, as the dashboard's operators handle them; whatever the context says, in the agency's workspace. */
export class WebhookEndpoints {
  constructor(
    private readonly runner: CommandRunner,
    private readonly access: AgencyAccess,
    private readonly targets: TargetPolicy,
    private readonly seal: SecretSeal,
  ) {}

  /** D19, D59: after the same checks as binding, and only where deliveries may go. */
  async register(agencyId: AgencyId, url: string, context: CommandContext): Promise<WithSecret> {
    const { binding } = await this.access.verify(agencyId);
    const verdict = await this.targets.check(url);
    if (!verdict.allowed) throw invalidRequest({ field: 'url', message: verdict.reason });
    const { workspaceId, epoch } = binding;
    const endpointId = newId('webhookEndpoint');
    const secret = newWebhookSecret();
    const sealedSecret = this.seal.seal(endpointId, secret);
    const registration = { endpointId, agencyId, workspaceId, epoch, url, sealedSecret };
    const { state } = await this.runner.run(
      webhookEndpointDecider,
      endpointId,
      { ...context, workspaceId },
      (endpoint) => registerEndpoint(endpoint, registration),
    );
    return { endpoint: requireRegistered(state), secret };
  }

  async rotate(endpointId: WebhookEndpointId, overlap: Duration, context: CommandContext): Promise<WithSecret> {
    const secret = newWebhookSecret();
    const sealedSecret = this.seal.seal(endpointId, secret);
    const endpoint = await this.decide(endpointId, context, (state, now) =>
      rotateSecret(state, { sealedSecret, overlap }, now),
    );
    return { endpoint, secret };
  }

  disable(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    return this.decide(endpointId, context, disableEndpoint);
  }

  /** A ping is to be sent; what came of it will be in the endpoint's `test`. */
  requestTest(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    const testId = newEventId();
    return this.decide(endpointId, context, (state) => requestTest(state, testId));
  }

  async load(endpointId: WebhookEndpointId): Promise<RegisteredEndpoint> {
    return requireRegistered((await this.runner.load(webhookEndpointDecider, endpointId)).state);
  }

  private async decide(
    endpointId: WebhookEndpointId,
    context: CommandContext,
    decision: (state: WebhookEndpoint, now: Instant) => WebhookEndpointEvent[],
  ): Promise<RegisteredEndpoint> {
    const { workspaceId } = await this.load(endpointId);
    const inWorkspace = { ...context, workspaceId };
    return requireRegistered((await this.runner.run(webhookEndpointDecider, endpointId, inWorkspace, decision)).state);
  }
}
