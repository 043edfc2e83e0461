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
import type { RevokedBecause } from '../domain/webhook-delivery.events.js';
import {
  type PendingDelivery,
  postponeDelivery,
  recordAttempt,
  revokeDelivery,
  revokeIfPutOffTooLong,
  type WebhookDelivery,
  webhookDeliveryDecider,
} from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import {
  encryptedSecretsAt,
  holdBack,
  type RegisteredEndpoint,
  release,
  type WebhookEndpoint,
  webhookEndpointDecider,
} from '../domain/webhook-endpoint.js';

/** What became of a delivery that was taken up. */
export type Attempted =
  /** Nothing was to be sent: it had been done, has been postponed, or has failed for good without an attempt. */
  | { readonly kind: 'nothing_sent' }
  /** It is not due, or the log does not show it yet: the read model is ahead of what is known here. */
  | { readonly kind: 'not_yet'; readonly until: Instant }
  /** Nothing may be sent for the agency before then. */
  | { readonly kind: 'held_back'; readonly until: Instant }
  /** It was sent; until that is recorded it may be sent again. */
  | { readonly kind: 'sent'; readonly outcome: SendOutcome; readonly record: () => Promise<void> };

const NOTHING_SENT: Attempted = { kind: 'nothing_sent' };
const SECOND_IN_MS = 1_000;
/** The name under which deliveries are set aside. */
export const WEBHOOKS = 'webhooks';

export interface SendingOptions {
  readonly backoff: readonly Duration[];
  /** From -1 to 1, anew for each wait. */
  readonly jitter: () => number;
  readonly caches?: Caches;
}

interface Due {
  readonly state: PendingDelivery;
  readonly cause: Cause;
}

/** What holds for all deliveries to an endpoint that are begun at the same time. */
type Common =
  | { readonly endpoint: 'gone' }
  | {
      readonly endpoint: RegisteredEndpoint;
      /** Or why its agency may not act. */
      readonly binding: Binding | DomainError;
      readonly creators: ReadonlyMap<CreatorId, CreatorState>;
      readonly published: Awaited<ReturnType<PublishedEvents['at']>>;
    };

/** Attempts to deliver: reads the bytes, checks access, signs them anew, sends them (D58–D62). */
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

  /** Drops the published events that are remembered. */
  forget(): void {
    this.published.forget();
  }

  /**
   * Takes up deliveries to one endpoint, those that are due; each comes to its own end, in the order of the ids. What
   * they have in common is looked at once, and access last of all before they are sent; rejects where it can not be.
   */
  async attempt(
    endpointId: WebhookEndpointId,
    deliveryIds: readonly WebhookDeliveryId[],
    now: Instant,
  ): Promise<readonly Promise<Attempted>[]> {
    const folds = await this.runner.loadAll(webhookDeliveryDecider, deliveryIds);
    const due = folds.flatMap(({ state, cause }) => (isDue(state, now) && cause !== null ? [{ state, cause }] : []));
    const common = await this.common(endpointId, due);
    return folds.map(async ({ state, cause }): Promise<Attempted> => {
      if (state.status === 'unknown' || cause === null) return { kind: 'not_yet', until: now + SECOND };
      if (state.status !== 'pending') return NOTHING_SENT;
      if (common === undefined || !isDue(state, now)) return { kind: 'not_yet', until: state.dueAt };
      return this.deliver(state, common, now, contextOf(state.workspaceId, cause));
    });
  }

  /** What could not be attempted waits for an operator (D67). */
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

  /** Undefined where none is due. */
  private async common(endpointId: WebhookEndpointId, due: readonly Due[]): Promise<Common | undefined> {
    const [first] = due;
    if (first === undefined) return undefined;
    const { workspaceId } = first.state;
    const places = due.map(({ state }) => state.feedRevision);
    const published = await this.published.at(workspaceId, places);
    const { state: endpoint } = await this.runner.load(webhookEndpointDecider, endpointId);
    if (endpoint.status !== 'active') return { endpoint: 'gone' };
    const binding = await this.verified(endpoint, contextOf(workspaceId, first.cause));
    const creators = await this.creators.loadAll(new Set(due.map(({ state }) => state.creatorId)));
    return { endpoint, binding, creators, published };
  }

  private async deliver(
    delivery: PendingDelivery,
    common: Common,
    now: Instant,
    context: CommandContext,
  ): Promise<Attempted> {
    if (common.endpoint === 'gone') return this.revoke(delivery, context, 'endpoint_disabled');
    const { endpoint, binding } = common;
    if (binding instanceof DomainError) return this.putOff(delivery, endpoint, binding, now, context);
    if (endpoint.epoch < binding.epoch) return this.revoke(delivery, context, 'access_revoked');
    const creator = common.creators.get(delivery.creatorId);
    if (creator?.status === 'known' && creator.membership.status === 'missing') {
      return this.postpone(delivery, creator.membership.since, context);
    }
    if (creator === undefined || !isAccessible(creator)) {
      return this.revoke(delivery, context, creator && isErased(creator) ? 'erased' : 'access_revoked');
    }
    const body = bytesOf(delivery.eventId, common.published.get(delivery.feedRevision));
    if (body === undefined) return this.revoke(delivery, context, 'erased');

    const outcome = await this.send(endpoint, delivery.eventId, body);
    return { kind: 'sent', outcome, record: () => this.record(delivery, outcome, context) };
  }

  /** The binding of an agency that may act now, or why it may not. */
  private async verified(endpoint: RegisteredEndpoint, context: CommandContext): Promise<Binding | DomainError> {
    try {
      const { binding } = await this.access.verify(endpoint.agencyId);
      if (endpoint.heldBackSince !== null) await this.decideEndpoint(endpoint, context, release);
      return binding;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** D62: without using an attempt, and not for ever. */
  private async putOff(
    delivery: PendingDelivery,
    endpoint: RegisteredEndpoint,
    refusal: DomainError,
    now: Instant,
    context: CommandContext,
  ): Promise<Attempted> {
    const heldBack = await this.decideEndpoint(endpoint, context, (state) => holdBack(state, refusal.code));
    const since = heldBack.status === 'unknown' ? null : heldBack.heldBackSince;
    if (since !== null) {
      const { deliveryId } = delivery;
      const { events } = await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state, at) =>
        revokeIfPutOffTooLong(state, since, at),
      );
      if (events.length > 0) return NOTHING_SENT;
    }
    return { kind: 'held_back', until: now + postponement(refusal) };
  }

  private async record(delivery: PendingDelivery, outcome: SendOutcome, context: CommandContext): Promise<void> {
    const { deliveryId, attempts } = delivery;
    const backoff = { waits: this.options.backoff, jitter: this.options.jitter() };
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (before, now) =>
      recordAttempt(before, attempts + 1, outcome, backoff, now),
    );
  }

  /** D77: its creator may be back soon; until then no attempt is used. */
  private async postpone(
    { deliveryId }: PendingDelivery,
    missingSince: Instant,
    context: CommandContext,
  ): Promise<Attempted> {
    await this.runner.run(webhookDeliveryDecider, deliveryId, context, (state, now) =>
      postponeDelivery(state, missingSince, now),
    );
    return NOTHING_SENT;
  }

  private async revoke(
    { deliveryId }: PendingDelivery,
    context: CommandContext,
    reason: RevokedBecause,
  ): Promise<Attempted> {
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
