import { Injectable } from '@nestjs/common';
import { AgencyAccess, requirePresentEpoch } from '#agencies';
import {
  type AgencyId,
  type CommandContext,
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
} from '../domain/webhook-endpoint.js';
import { newWebhookSecret, SecretCipher } from './secret-cipher.js';
import { TargetPolicy } from './target-policy.js';
import { type LoadedEndpoint, WebhookEndpointRepository } from './webhook-endpoint.repository.js';

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

type Registered = LoadedEndpoint<RegisteredEndpoint>;

/** What operators do with endpoints, always in the workspace of the endpoint's agency. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
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
    const inWorkspace = { ...context, workspaceId };
    const recorded = await this.endpoints.update(this.endpoints.assumeNew(endpointId), inWorkspace, (endpoint) =>
      registerEndpoint(endpoint, registration),
    );
    return { endpoint: await this.keepEncrypted(registered(recorded), context), secret };
  }

  async rotate(endpointId: WebhookEndpointId, overlap: Duration, context: CommandContext): Promise<WithSecret> {
    const secret = newWebhookSecret();
    await this.cipher.refresh();
    const loaded = await this.find(endpointId);
    const encryptedSecret = this.cipher.encrypt(loaded.state, secret);
    const rotated = await this.decide(loaded, context, (state, now) =>
      rotateSecret(state, { encryptedSecret, overlap }, now),
    );
    return { endpoint: await this.keepEncrypted(rotated, context), secret };
  }

  async reencrypt(endpointId: WebhookEndpointId, context: CommandContext): Promise<Reencrypted> {
    const { reencrypted, unreadable } = await this.encryptAgain(await this.find(endpointId), context);
    return { reencrypted, unreadable };
  }

  async disable(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    return (await this.decide(await this.find(endpointId), context, disableEndpoint)).state;
  }

  /** D82: with the same id, URL and secrets, after the same checks as registration; one of an earlier binding stays disabled. */
  async enable(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    const endpoint = await this.find(endpointId);
    const { agencyId, epoch, url } = endpoint.state;
    const { binding } = await this.access.verify(agencyId);
    requirePresentEpoch(binding, epoch);
    await this.requireAllowed(url);
    return (await this.decide(endpoint, context, enableEndpoint)).state;
  }

  /** Requests a ping; its result will be in the endpoint's `test`. */
  async requestTest(endpointId: WebhookEndpointId, context: CommandContext): Promise<RegisteredEndpoint> {
    const testId = newEventId();
    return (await this.decide(await this.find(endpointId), context, (state) => requestTest(state, testId))).state;
  }

  async load(endpointId: WebhookEndpointId): Promise<RegisteredEndpoint> {
    return (await this.find(endpointId)).state;
  }

  private async requireAllowed(url: string): Promise<void> {
    const verdict = await this.targets.check(url);
    if (!verdict.allowed) throw invalidRequest({ field: 'url', message: verdict.reason });
  }

  /** D85: a rotation that began while the secret was being recorded may have passed the endpoint before. */
  private async keepEncrypted(endpoint: Registered, context: CommandContext): Promise<RegisteredEndpoint> {
    await this.cipher.refresh();
    return (await this.encryptAgain(endpoint, context)).endpoint;
  }

  /** D85: encrypts the endpoint's secrets with the current key; what none of the keys decrypts stays as it is. */
  private async encryptAgain(
    loaded: Registered,
    context: CommandContext,
  ): Promise<Reencrypted & { readonly endpoint: RegisteredEndpoint }> {
    let [reencrypted, unreadable] = [0, 0];
    const { state: endpoint } = await this.decide(loaded, context, (state, now) => {
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
    return { endpoint, reencrypted, unreadable };
  }

  private async find(endpointId: WebhookEndpointId): Promise<Registered> {
    return registered(await this.endpoints.load(endpointId));
  }

  private async decide(
    endpoint: Registered,
    context: CommandContext,
    decision: (state: WebhookEndpoint, now: Instant) => WebhookEndpointEvent[],
  ): Promise<Registered> {
    const { workspaceId } = endpoint.state;
    return registered(await this.endpoints.update(endpoint, { ...context, workspaceId }, decision));
  }
}

const registered = (endpoint: LoadedEndpoint): Registered => ({
  ...endpoint,
  state: requireRegistered(endpoint.state),
});
