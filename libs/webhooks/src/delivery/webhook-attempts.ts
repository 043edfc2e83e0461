import { type AgencyAccess, type Binding, postponement } from '#agencies';
import { type CreatorState, type Creators, isAccessible, isErased } from '#creators';
import { bytesOf, PublishedEvents } from '#event-feed';
import type { SetAsides } from '#jobs';
import {
  Caches,
  type Cause,
  type CommandContext,
  type CommandRunner,
  type CreatorId,
  DomainError,
  type Duration,
  type EventLog,
  type Instant,
  processContext,
  SECOND,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import type { SendOutcome, WebhookSender } from '../application/ports.js';
import type { SecretCipher } from '../application/secret-cipher.js';
import { signatureHeader } from '../domain/signature.js';
import type { RevocationReason } from '../domain/webhook-delivery.events.js';
import {
  expireIfSuspendedTooLong,
  type PendingDelivery,
  postponeDelivery,
  recordAttempt,
  revokeDelivery,
  type WebhookDelivery,
  webhookDeliveryDecider,
} from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import {
  encryptedSecretsAt,
  type RegisteredEndpoint,
  resume,
  suspend,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from '../domain/webhook-endpoint.js';

/** The outcome of a delivery that was started. */
export type AttemptOutcome =
  /** Nothing was sent: it was delivered before, was postponed, or has failed permanently without an attempt. */
  | { readonly kind: 'nothing_sent' }
  /** It is not due, or the read model is ahead of the log as this process sees it. */
  | { readonly kind: 'not_yet'; readonly until: Instant }
  /** Nothing may be sent for the agency before then. */
  | { readonly kind: 'suspended'; readonly until: Instant }
  /** It was sent. Until `record` has ended it may be sent again. */
  | { readonly kind: 'sent'; readonly outcome: SendOutcome; readonly record: () => Promise<void> };

const NOTHING_SENT: AttemptOutcome = { kind: 'nothing_sent' };
const SECOND_IN_MS = 1_000;
/** The name under which deliveries are set aside. */
export const WEBHOOKS = 'webhooks';

export interface SendingOptions {
  readonly backoff: readonly Duration[];
  /** From -1 to 1, another number for each wait. */
  readonly jitter: () => number;
  readonly caches?: Caches;
}

interface Due {
  readonly state: PendingDelivery;
  readonly cause: Cause;
}

/** What all deliveries have in common that are started together for one endpoint. */
type SharedFacts =
  | { readonly endpoint: 'gone' }
  | {
      readonly endpoint: RegisteredEndpoint;
      /** Or why its agency may not act. */
      readonly binding: Binding | DomainError;
      readonly creators: ReadonlyMap<CreatorId, CreatorState>;
      readonly published: Awaited<ReturnType<PublishedEvents['at']>>;
    };

/** Attempts deliveries: reads the bytes, checks access, signs for this attempt, sends (D58–D62). */
export class WebhookAttempts {
  private readonly published: PublishedEvents;

  constructor(
    log: Pick<EventLog, 'readStream'>,
    private readonly runner: CommandRunner,
    private readonly access: AgencyAccess,
    private readonly creators: Creators,
    private readonly sender: WebhookSender,
    private readonly cipher: SecretCipher,
    private readonly setAsides: SetAsides,
    private readonly options: SendingOptions,
  ) {
    this.published = new PublishedEvents(log, options.caches ?? Caches.ON);
  }

  /** Clears the cached published events. */
  forget(): void {
    this.published.forget();
  }

  /**
   * Attempts those of one endpoint's deliveries that are due; returns a promise for each, in the order of the ids. Shared
   * facts are read once, and access is checked last, directly before sending. Rejects if shared facts cannot be read.
   */
  async attempt(
    endpointId: WebhookEndpointId,
    deliveryIds: readonly WebhookDeliveryId[],
    now: Instant,
  ): Promise<readonly Promise<AttemptOutcome>[]> {
    const loaded = await this.runner.loadAll(webhookDeliveryDecider, deliveryIds);
    const due = loaded.flatMap(({ state, cause }) => (isDue(state, now) && cause !== null ? [{ state, cause }] : []));
    const shared = await this.sharedFacts(endpointId, due);
    return loaded.map(async ({ state, cause }): Promise<AttemptOutcome> => {
      if (state.status === 'unknown' || cause === null) return { kind: 'not_yet', until: now + SECOND };
      if (state.status !== 'pending') return NOTHING_SENT;
      if (shared === undefined || !isDue(state, now)) return { kind: 'not_yet', until: state.dueAt };
      return this.deliver(state, shared, now, contextOf(state.workspaceId, cause));
    });
  }

  /** A delivery that could not be attempted waits for an operator (D67). */
  async setAside(deliveryId: WebhookDeliveryId, error: unknown): Promise<void> {
    const { state, cause } = await this.runner.load(webhookDeliveryDecider, deliveryId);
    if (state.status === 'unknown' || cause === null) return;
    const aside = { runner: WEBHOOKS, part: null, item: { kind: 'delivery', deliveryId } } as const;
    await this.setAsides.record(aside, error, { ...cause, workspaceId: state.workspaceId });
  }

  /** Sends bytes to the endpoint, signed as of now with every secret that is in force (D61). */
  send(endpoint: RegisteredEndpoint, eventId: string, body: Buffer): Promise<SendOutcome> {
    const now = this.runner.now();
    const encrypted = encryptedSecretsAt(endpoint, now);
    const keys = encrypted.map((secret) => this.cipher.signingKey(endpoint, secret));
    const headers = {
      'Content-Type': 'application/json',
      'X-SVC-Event-ID': eventId,
      'X-SVC-Signature': signatureHeader(keys, Math.floor(now / SECOND_IN_MS), body),
    };
    return this.sender.send({ url: endpoint.url, body, headers });
  }

  /** Undefined if none is due. */
  private async sharedFacts(endpointId: WebhookEndpointId, due: readonly Due[]): Promise<SharedFacts | undefined> {
    const [first] = due;
    if (first === undefined) return undefined;
    const { workspaceId } = first.state;
    const revisions = due.map(({ state }) => state.feedRevision);
    const published = await this.published.at(workspaceId, revisions);
    const { state: endpoint } = await this.runner.load(webhookEndpointDecider, endpointId);
    if (endpoint.status !== 'active') return { endpoint: 'gone' };
    const binding = await this.verified(endpoint, contextOf(workspaceId, first.cause));
    const creators = await this.creators.loadAll(new Set(due.map(({ state }) => state.creatorId)));
    return { endpoint, binding, creators, published };
  }

  private async deliver(
    delivery: PendingDelivery,
    shared: SharedFacts,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    if (shared.endpoint === 'gone') return this.revoke(delivery, context, 'endpoint_disabled');
    const { endpoint, binding } = shared;
    if (binding instanceof DomainError) return this.suspendEndpoint(delivery, endpoint, binding, now, context);
    if (endpoint.epoch < binding.epoch) return this.revoke(delivery, context, 'access_revoked');
    const creator = shared.creators.get(delivery.creatorId);
    if (creator?.status === 'known' && creator.membership.status === 'missing') {
      return this.postpone(delivery, creator.membership.since, context);
    }
    if (creator === undefined || !isAccessible(creator)) {
      return this.revoke(delivery, context, creator && isErased(creator) ? 'erased' : 'access_revoked');
    }
    const body = bytesOf(delivery.eventId, shared.published.get(delivery.feedRevision));
    if (body === undefined) return this.revoke(delivery, context, 'erased');

    const outcome = await this.send(endpoint, delivery.eventId, body);
    return { kind: 'sent', outcome, record: () => this.record(delivery, outcome, context) };
  }

  /** The binding of an agency that may act now, or why it may not. */
  private async verified(endpoint: RegisteredEndpoint, context: CommandContext): Promise<Binding | DomainError> {
    try {
      const { binding } = await this.access.verify(endpoint.agencyId);
      if (endpoint.suspendedSince !== null) await this.decideEndpoint(endpoint, context, resume);
      return binding;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** D62: uses no attempt, and ends after 72 hours. */
  private async suspendEndpoint(
    delivery: PendingDelivery,
    endpoint: RegisteredEndpoint,
    refusal: DomainError,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    const suspended = await this.decideEndpoint(endpoint, context, (state) => suspend(state, refusal.code));
    const since = suspended.status === 'unknown' ? null : suspended.suspendedSince;
    if (since !== null) {
      const { deliveryId } = delivery;
      const { events } = await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state, at) =>
        expireIfSuspendedTooLong(state, since, at),
      );
      if (events.length > 0) return NOTHING_SENT;
    }
    return { kind: 'suspended', until: now + postponement(refusal) };
  }

  private async record(delivery: PendingDelivery, outcome: SendOutcome, context: CommandContext): Promise<void> {
    const { deliveryId, attempts } = delivery;
    const backoff = { waits: this.options.backoff, jitter: this.options.jitter() };
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (before, now) =>
      recordAttempt(before, attempts + 1, outcome, backoff, now),
    );
  }

  /** D77: its creator may return soon; until then no attempt is used. */
  private async postpone(
    { deliveryId }: PendingDelivery,
    missingSince: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state, now) =>
      postponeDelivery(state, missingSince, now),
    );
    return NOTHING_SENT;
  }

  private async revoke(
    { deliveryId }: PendingDelivery,
    context: CommandContext,
    reason: RevocationReason,
  ): Promise<AttemptOutcome> {
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state) => revokeDelivery(state, reason));
    return NOTHING_SENT;
  }

  private async decideEndpoint(
    { endpointId }: RegisteredEndpoint,
    context: CommandContext,
    decision: (state: WebhookEndpoint) => readonly WebhookEndpointEvent[],
  ): Promise<WebhookEndpoint> {
    return (await this.runner.run(webhookEndpointDecider, endpointId, context, decision)).state;
  }
}

const isDue = (delivery: WebhookDelivery, now: Instant): delivery is PendingDelivery =>
  delivery.status === 'pending' && delivery.dueAt <= now;

const contextOf = (workspaceId: WorkspaceId, cause: Cause): CommandContext =>
  processContext(WEBHOOKS, workspaceId, cause);
