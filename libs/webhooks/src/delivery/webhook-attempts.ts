import { Injectable } from '@nestjs/common';
import { AgencyAccess, type Binding, postponement } from '#agencies';
import { type VisibilityRule, VisibleEvents } from '#event-feed';
import { ClockWatch, DeadLetters } from '#jobs';
import {
  type AgencyId,
  type Cause,
  type CommandContext,
  DomainError,
  type Duration,
  holds,
  type Instant,
  processContext,
  SECOND,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import {
  type LoadedDelivery,
  type LoadedEndpoint,
  WebhookDeliveryRepository,
  WebhookEndpointRepository,
} from '../application/repositories.js';
import { type Sent, SignedSending } from '../application/signed-sending.js';
import type { SendOutcome } from '../domain/send-result.js';
import type { RevocationReason } from '../domain/webhook-delivery.events.js';
import {
  expireIfSuspendedTooLong,
  type PendingDelivery,
  postponeDelivery,
  recordAttempt,
  revokeDelivery,
  type WebhookDelivery,
} from '../domain/webhook-delivery.js';
import { type RegisteredEndpoint, resume, suspend, type WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { WebhooksOptions } from '../webhooks.options.js';

export type AttemptOutcome =
  /** Nothing was sent: it was delivered before, was postponed, or has failed permanently without an attempt. */
  | { readonly kind: 'nothing_sent' }
  /** It is not due, or the read model is ahead of the log as this process sees it. */
  | { readonly kind: 'not_yet'; readonly wait: Duration }
  /** Nothing may be sent for the agency before then. */
  | { readonly kind: 'suspended'; readonly until: Instant }
  /** It was sent. Until `record` has ended it may be sent again. */
  | { readonly kind: 'sent'; readonly outcome: SendOutcome; readonly record: () => Promise<void> };

const NOTHING_SENT: AttemptOutcome = { kind: 'nothing_sent' };
/** The name under which deliveries are set aside. */
export const WEBHOOKS = 'webhooks';

type Pending = LoadedDelivery<PendingDelivery>;

/** What all deliveries have in common that are started together for one endpoint. */
type SharedFacts =
  | { readonly endpoint: 'gone' }
  | {
      readonly endpoint: LoadedEndpoint<RegisteredEndpoint>;
      /** Or why its agency may not act. */
      readonly binding: Binding | DomainError;
      readonly visibility: VisibilityRule;
      readonly published: Awaited<ReturnType<VisibleEvents['read']>>;
    };

/** Attempts deliveries: reads the bytes, checks access, signs for this attempt, sends (D58–D62). */
@Injectable()
export class WebhookAttempts {
  constructor(
    private readonly events: VisibleEvents,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sending: SignedSending,
    private readonly deadLetters: DeadLetters,
    private readonly clocks: ClockWatch,
    private readonly options: WebhooksOptions,
  ) {}

  /** A promise for each, in the order of the ids. Access is checked last. Rejects if shared facts cannot be read. */
  async attempt(
    endpointId: WebhookEndpointId,
    deliveryIds: readonly WebhookDeliveryId[],
    now: Instant,
  ): Promise<readonly Promise<AttemptOutcome>[]> {
    const loaded = await this.deliveries.loadAll(deliveryIds);
    const due = loaded
      .filter((delivery) => holds(delivery, isPending))
      .filter((delivery) => this.waitOf(delivery) === 0);
    const isDue = new Set<LoadedDelivery>(due);
    const shared = await this.sharedFacts(endpointId, due);
    return loaded.map(async (delivery): Promise<AttemptOutcome> => {
      const { state, cause } = delivery;
      if (state.status === 'unknown' || cause === null) return { kind: 'not_yet', wait: SECOND };
      if (!holds(delivery, isPending)) return NOTHING_SENT;
      if (shared === undefined || !isDue.has(delivery)) return { kind: 'not_yet', wait: this.waitOf(delivery) };
      return this.deliver(delivery, shared, now, contextOf(delivery.state.workspaceId, cause));
    });
  }

  /** A delivery that could not be attempted waits for an operator (D67). */
  async recordDeadLetter(deliveryId: WebhookDeliveryId, error: unknown): Promise<void> {
    const { state, cause } = await this.deliveries.load(deliveryId);
    if (state.status === 'unknown' || cause === null) return;
    const deadLetter = { runner: WEBHOOKS, part: null, item: { kind: 'delivery', deliveryId } } as const;
    await this.deadLetters.record(deadLetter, error, { ...cause, workspaceId: state.workspaceId });
  }

  /** Not by the wall clock alone: no attempt is earlier than the last one and the wait after it (D93). */
  private waitOf({ position, at, state }: Pending): Duration {
    return this.clocks.remaining({ position, at, until: state.dueAt });
  }

  private async sharedFacts(endpointId: WebhookEndpointId, due: readonly Pending[]): Promise<SharedFacts | undefined> {
    const [first] = due;
    if (first?.cause == null) return undefined;
    const { workspaceId, agencyId } = first.state;
    const revisions = due.map(({ state }) => state.feedRevision);
    const published = await this.events.read(workspaceId, revisions);
    const [endpoint, binding] = await Promise.all([this.endpoints.load(endpointId), this.bindingOf(agencyId)]);
    if (!holds(endpoint, isActive)) return { endpoint: 'gone' };
    if (!(binding instanceof DomainError) && endpoint.state.suspendedSince !== null) {
      await this.endpoints.update(endpoint, contextOf(workspaceId, first.cause), resume);
    }
    const visibility = await this.events.ruleFor(due.map(({ state }) => state.creatorId));
    return { endpoint, binding, visibility, published };
  }

  private async deliver(
    delivery: Pending,
    shared: SharedFacts,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    if (shared.endpoint === 'gone') return this.revoke(delivery, context, 'endpoint_disabled');
    const { endpoint, binding } = shared;
    const { eventId, feedRevision } = delivery.state;
    if (binding instanceof DomainError) return this.suspendEndpoint(delivery, endpoint, binding, now, context);
    if (endpoint.state.epoch < binding.epoch) return this.revoke(delivery, context, 'access_revoked');
    const event = shared.visibility(delivery.state, shared.published.get(feedRevision));
    switch (event.kind) {
      case 'missing':
        return this.postpone(delivery, event.since, context);
      case 'unreadable':
        // The task is retried, because an operator may restore the key (D71).
        throw event.error;
      case 'ended':
        return this.revoke(delivery, context, 'access_revoked');
      case 'erased':
        return this.revoke(delivery, context, 'erased');
      case 'visible': {
        const sent = await this.sending.send(endpoint.state, eventId, Buffer.from(event.bytes));
        return { kind: 'sent', outcome: sent.outcome, record: () => this.record(delivery, sent, context) };
      }
    }
  }

  private async bindingOf(agencyId: AgencyId): Promise<Binding | DomainError> {
    try {
      return (await this.access.verify(agencyId)).binding;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** D62: uses no attempt, and ends after 72 hours. */
  private async suspendEndpoint(
    delivery: Pending,
    endpoint: LoadedEndpoint,
    refusal: DomainError,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    const { state } = await this.endpoints.update(endpoint, context, (current) => suspend(current, refusal.code));
    const since = state.status === 'unknown' ? null : state.suspendedSince;
    // A clock fault can make the time seem too long (D93).
    if (since !== null && this.clocks.faults.length === 0) {
      const { events } = await this.deliveries.update(delivery, context, (current, at) =>
        expireIfSuspendedTooLong(current, since, at),
      );
      if (events.length > 0) return NOTHING_SENT;
    }
    return { kind: 'suspended', until: now + postponement(refusal) };
  }

  private async record(delivery: Pending, { outcome, timing }: Sent, context: CommandContext): Promise<void> {
    const attempt = delivery.state.attempts + 1;
    const backoff = { waits: this.options.backoff, jitter: 2 * Math.random() - 1 };
    await this.deliveries.update(delivery, context, (state, now) =>
      recordAttempt(state, { attempt, outcome, timing }, backoff, now),
    );
  }

  /** D77: its creator may return soon; until then no attempt is used. */
  private async postpone(delivery: Pending, missingSince: Instant, context: CommandContext): Promise<AttemptOutcome> {
    await this.deliveries.update(delivery, context, (state, now) => postponeDelivery(state, missingSince, now));
    return NOTHING_SENT;
  }

  private async revoke(delivery: Pending, context: CommandContext, reason: RevocationReason): Promise<AttemptOutcome> {
    await this.deliveries.update(delivery, context, (state) => revokeDelivery(state, reason));
    return NOTHING_SENT;
  }
}

const isPending = (delivery: WebhookDelivery): delivery is PendingDelivery => delivery.status === 'pending';

const isActive = (endpoint: WebhookEndpoint): endpoint is RegisteredEndpoint => endpoint.status === 'active';

const contextOf = (workspaceId: WorkspaceId, cause: Cause): CommandContext =>
  processContext(WEBHOOKS, workspaceId, cause);
