import { Injectable } from '@nestjs/common';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import {
  type AgencyId,
  type CommandContext,
  CommandRunner,
  type Duration,
  type Instant,
  invalidRequest,
  newEventId,
  newId,
  type WebhookEndpointId,
} from '#kernel';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import {
  disableEndpoint,
  enableEndpoint,
  type RegisteredEndpoint,
  reencryptSecrets,
  registerEndpoint,
  requestTest,
  requireRegistered,
  rotateSecret,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from '../domain/webhook-endpoint.js';
import { TargetPolicy } from './ports.js';
import { newWebhookSecret, SecretCipher } from './secret-cipher.js';

export interface WithSecret {
  readonly endpoint: RegisteredEndpoint;
  /** In this answer and nowhere else. */
  readonly secret: string;
}

/** How many of an endpoint's secrets were encrypted with another key than the current one, and with none of the keys. */
export interface Reencrypted {
  readonly reencrypted: number;
  readonly unreadable: number;
}

/** What operators do with endpoints, always in the workspace of the endpoint's agency. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly runner: CommandRunner,
    private readonly access: AgencyAccess,
    private readonly targets: TargetPolicy,
    private readonly cipher: SecretCipher,
  ) {}

  /** D19, D59: after the same checks as binding, and only where deliveries may go. */
  async register(agencyId: AgencyId, url: string, context: CommandContext): Promise<WithSecret> {
    const { binding } = await this.access.verify(agencyId);
    await this.requireAllowed(url);
    const { workspaceId, epoch } = binding;
    const endpointId = newId('webhookEndpoint');
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const encryptedSecret = this.cipher.encrypt({ endpointId, url }, secret);
    const registration = { endpointId, agencyId, workspaceId, epoch, url, encryptedSecret };
    const { state } = await this.runner.run(
      webhookEndpointDecider,
      endpointId,
      { ...context, workspaceId },
      (endpoint) => registerEndpoint(endpoint, registration),
    );
    await this.keepEncrypted(endpointId, context);
    return { endpoint: requireRegistered(state), secret };
  }

  async rotate(endpointId: WebhookEndpointId, overlap: Duration, context: CommandContext): Promise<WithSecret> {
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const encryptedSecret = this.cipher.encrypt(await this.load(endpointId), secret);
    const endpoint = await this.decide(endpointId, context, (state, now) =>
      rotateSecret(state, { encryptedSecret, overlap }, now),
    );
    await this.keepEncrypted(endpointId, context);
    return { endpoint, secret };
  }

  /** D85: encrypts the endpoint's secrets with the current key; what none of the keys decrypts stays as it is. */
  async reencrypt(endpointId: WebhookEndpointId, context: CommandContext): Promise<Reencrypted> {
    let [reencrypted, unreadable] = [0, 0];
    await this.decide(endpointId, context, (state, now) => {
      [reencrypted, unreadable] = [0, 0];
      return reencryptSecrets(state, now, (owner, encrypted) => {
        try {
          const ciphertext = this.cipher.reencrypted(owner, encrypted);
          if (ciphertext !== undefined) reencrypted++;
          return ciphertext;
        } catch {
          unreadable++;
          return undefined;
        }
      });
    });
    return { reencrypted, unreadable };
  }

  disable(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    return this.decide(endpointId, context, disableEndpoint);
  }

  /** D82: with the same id, URL and secrets, after the same checks as registration; one of an earlier binding stays disabled. */
  async enable(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    const { agencyId, epoch, url } = await this.load(endpointId);
    const { binding } = await this.access.verify(agencyId);
    requirePresentEpoch(binding, epoch);
    await this.requireAllowed(url);
    return this.decide(endpointId, context, enableEndpoint);
  }

  /** Requests a ping; its result will be in the endpoint's `test`. */
  requestTest(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    const testId = newEventId();
    return this.decide(endpointId, context, (state) => requestTest(state, testId));
  }

  async load(endpointId: WebhookEndpointId): Promise<RegisteredEndpoint> {
    return requireRegistered((await this.runner.load(webhookEndpointDecider, endpointId)).state);
  }

  private async requireAllowed(url: string): Promise<void> {
    const verdict = await this.targets.check(url);
    if (!verdict.allowed) throw invalidRequest({ field: 'url', message: verdict.reason });
  }

  /** D85: a rotation that began while the secret was being recorded may have passed the endpoint before. */
  private async keepEncrypted(endpointId: WebhookEndpointId, context: CommandContext): Promise<void> {
    await this.cipher.refresh();
    await this.reencrypt(endpointId, context);
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
